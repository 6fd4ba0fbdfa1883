// Makes the presets visible to the engine, as files of its memory.

// A step before the program starts, for the engine's `preRun`.
export function namePresetFolder(starting) {
  starting.ENV.DAPPLE_PRESET_PATH = "/presets";
}

// Writes the presets: texts by file name, such as "palettes/spectra6.gpl".
export function writePresets(FS, presets) {
  for (const [name, text] of Object.entries(presets)) {
    FS.mkdirTree("/presets/" + name.slice(0, Math.max(0, name.lastIndexOf("/"))));
    FS.writeFile("/presets/" + name, text);
  }
}
