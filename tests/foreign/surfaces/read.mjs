// A file of points on a surface, by a package of npm, as JSON columns. Usage: read.mjs MODULES READER FILE
// three: .ply, .glb with instances, .usda, .mtlx. tinyusdz: whether it is USD. validator: what Khronos finds in a .glb.
import fs from 'fs';
import path from 'path';
import { createRequire } from 'module';
import { pathToFileURL } from 'url';

const [modules, reader, file] = process.argv.slice(2);
const bytes = fs.readFileSync(file);
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
const load = name => import(pathToFileURL(path.join(modules, name)));
const say = found => fs.writeSync(1, JSON.stringify(found));

async function ply() {
  const { PLYLoader } = await load('three/examples/jsm/loaders/PLYLoader.js');
  const loader = new PLYLoader();
  loader.setCustomPropertyNameMapping({ radius: ['radius'], turn: ['qx', 'qy', 'qz', 'qw'], class: ['class'] });
  const found = loader.parse(buffer).attributes;
  const list = name => Array.from(found[name].array);
  say({ places: list('position'), normals: list('normal'), radii: list('radius'), turns: list('turn'), classes: list('class') });
}

async function glb() {
  globalThis.self = globalThis;
  const { GLTFLoader } = await load('three/examples/jsm/loaders/GLTFLoader.js');
  const { Matrix4, Vector3, Quaternion } = await load('three/build/three.module.js');
  new GLTFLoader().parse(buffer, '', scene => {
    const found = { places: [], turns: [], sizes: [], classes: [] };
    scene.scene.updateMatrixWorld(true);
    scene.scene.traverse(object => {
      if (!object.isInstancedMesh) return;
      for (let i = 0; i < object.count; i++) {
        const matrix = new Matrix4(), place = new Vector3(), turn = new Quaternion(), size = new Vector3();
        object.getMatrixAt(i, matrix);
        matrix.premultiply(object.matrixWorld).decompose(place, turn, size);
        found.places.push(...place.toArray());
        found.turns.push(...turn.toArray());
        found.sizes.push(size.x);
        found.classes.push(Number(object.name.replace(/\D/g, '')));
      }
    });
    say(found);
  }, error => { throw error; });
}

async function usda() {
  const { USDAParser } = await load('three/examples/jsm/loaders/usd/USDAParser.js');
  const found = new USDAParser().parseData(bytes.toString()).specsByPath;
  if (!found['/Points']) {
    say(Object.fromEntries(Object.entries(found).map(([name, spec]) => [name, spec.fields])));
    return;
  }
  const of = name => found['/Points.' + name].fields.default;
  const middle = of('xformOp:translate');
  say({
    places: of('positions').map((v, i) => v + middle[i % 3]),
    turns: of('orientations'),
    sizes: of('scales').filter((v, i) => i % 3 === 0), classes: of('protoIndices'), radii: of('primvars:radius'),
    type: found['/Points'].fields.typeName, meters: found['/'].fields.metersPerUnit
  });
}

// The materials of MaterialX, each with what pictures set.
async function mtlx() {
  globalThis.self = globalThis;
  globalThis.DOMParser = (await load('@xmldom/xmldom/lib/index.js')).DOMParser;
  const { MaterialXLoader } = await load('three/examples/jsm/loaders/MaterialXLoader.js');
  const nodes = { color: 'colorNode', displacement: 'positionNode', normal: 'normalNode', roughness: 'roughnessNode' };
  const { materials } = new MaterialXLoader().parse(bytes.toString());
  say(Object.fromEntries(Object.entries(materials).map(([name, made]) =>
    [name, Object.keys(nodes).filter(use => made[nodes[use]])])));
}

// Built for browsers alone, so it is shown one.
async function tinyusdz() {
  const end = process.exit.bind(process);
  const { versions } = process;
  Object.defineProperty(globalThis, 'process', { value: { type: 'renderer', versions }, configurable: true });
  globalThis.WorkerGlobalScope = class {};
  globalThis.self = { location: { href: 'file:///' } };
  const wasm = fs.readFileSync(path.join(modules, 'tinyusdz/tinyusdz.wasm'));
  globalThis.fetch = async () => new Response(wasm, { headers: { 'content-type': 'application/wasm' } });
  const { TinyUSDZLoaderNative } = await (await load('tinyusdz/tinyusdz.js')).default();
  const read = text => new TinyUSDZLoaderNative().loadFromBinary(new Uint8Array(Buffer.from(text)), 'a.usda');
  const text = bytes.toString();
  say({ good: read(text), broken: read(text.replace(' = [(', ' = [((')) });
  end(0);
}

async function validator() {
  const { validateBytes } = createRequire(path.join(modules, 'x'))('gltf-validator');
  const externalResourceFunction = async uri => new Uint8Array(fs.readFileSync(path.join(path.dirname(file), decodeURI(uri))));
  say((await validateBytes(new Uint8Array(buffer), { externalResourceFunction })).issues);
}

await ({ three: { '.ply': ply, '.glb': glb, '.usda': usda, '.mtlx': mtlx }[path.extname(file)], tinyusdz, validator })[reader]();
