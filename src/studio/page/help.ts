// The dialog with the list of keys.
import { keyWords } from "./words";

const dialog = document.getElementById("help") as HTMLDialogElement;

export function toggleHelp(): void {
  if (dialog.open) return dialog.close();
  const list = dialog.querySelector("dl")!;
  if (!list.childElementCount) {
    for (const [keys, does] of keyWords) {
      list.append(Object.assign(document.createElement("dt"), { textContent: keys }), Object.assign(document.createElement("dd"), { textContent: does }));
    }
  }
  dialog.showModal();
}

export const helpIsOpen = () => dialog.open;
