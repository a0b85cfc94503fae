// Programs that try to see or to change what belongs to another run: its input, instant, random numbers, log or result. They use natives
// where they can, because a function of theirs has a step, and throws when it is called outside its own run.

/** In place of a native, one that keeps what it is called with; the next run returns that. Expressions as JavaScript. */
const spy = (home: string, name: string) =>
  `const seen = [], was = ${home}[${name}], keep = Array.prototype.push.bind(seen), text = JSON.stringify; export default () => { const put = (value) => Reflect.defineProperty(${home}, ${name}, { value, configurable: true, writable: true }); put(was); const found = text(seen, (_, value) => typeof value === 'function' ? 'function' : value); put(new Proxy(was, { __proto__: null, apply: keep, construct: keep })); return [found]; }`;

/** Keeps what is assigned to a name that an object does not have yet. */
const setter = (home: string, name: string) =>
  `const seen = [], set = Array.prototype.push.bind(seen), text = JSON.stringify; export default () => { delete ${home}[${name}]; const found = text(seen.map((each) => typeof each === 'object' ? Object.prototype.toString.call(each) + text(each) : String(each))); Object.defineProperty(${home}, ${name}, { configurable: true, set, get: undefined }); return [found]; }`;

/** Gives every object a property that it does not have. */
const plant = (name: string, value: string) =>
  `export default () => { Object.prototype[${JSON.stringify(name)}] = ${value}; return []; }`;

/** Returns nothing, and leaves work behind. */
const leave = (code: string) => `export default () => { ${code} return []; }`;

export const THIEVES: Readonly<Record<string, string>> = {
  'the iterator of arrays': spy('Array.prototype', 'Symbol.iterator'),
  'the steps of that iterator': spy('Object.getPrototypeOf([][Symbol.iterator]())', '"next"'),
  'the characters of a seed': spy('String.prototype', '"charCodeAt"'),
  'parts of texts': spy('String.prototype', '"slice"'),
  'what promises call': spy('Promise.prototype', '"then"'),
  'every promise': spy('globalThis', '"Promise"'),
  'the constructor of promises': spy('Promise.prototype', '"constructor"'),
  'the species of promises':
    'const seen = []; const keep = Array.prototype.push.bind(seen); export default () => { Reflect.defineProperty(Promise, Symbol.species, { get: () => function (run) { seen.push(String(run)); run(keep, keep); } }); return [String(seen)]; }',
  'what becomes JSON': spy('JSON', '"stringify"'),
  'what was JSON': spy('JSON', '"parse"'),
  'what patterns match': spy('RegExp.prototype', '"exec"'),
  'what the last pattern matched':
    'export default () => [RegExp.$_, RegExp.lastMatch, RegExp.leftContext, RegExp.$1]',
  'what is frozen': spy('Object', '"freeze"'),
  'keys of the input': spy('Reflect', '"ownKeys"'),
  'calls by Reflect': spy('Reflect', '"apply"'),
  'calls of functions': spy('Function.prototype', '"call"'),
  'lists of arguments': spy('Function.prototype', '"apply"'),
  'what becomes text': spy('globalThis', '"String"'),
  'the mixing of a seed': spy('Math', '"imul"'),
  'dates as text': spy('Date.prototype', '"toString"'),
  'stack traces':
    'const seen = []; export default () => { Reflect.set(Error, "prepareStackTrace", Array.prototype.push.bind(seen)); return [String(seen)]; }',
  'the first item of a list': setter('Array.prototype', '0'),
  'the context of the platform': setter('Object.prototype', '"ctx"'),
  'the bindings of the platform': setter('Object.prototype', '"env"'),
  'a default': setter('Object.prototype', '"default"'),
  'the status of a reply': setter('Object.prototype', '"status"'),
  'the log of a run': setter('Object.prototype', '"logs"'),
  'an error for everybody': plant('error', '"planted"'),
  'a workflow for everybody': plant('workflow', '() => ["planted"]'),
  'a value for everybody': plant('value', '() => ["planted"]'),
  'an input for everybody': plant('identity', '{ identifier: "planted" }'),
  'a getter of every property descriptor': plant('get', 'Object.bind(null, "planted")'),
  'the instant of another run':
    'let real = null; export default () => { Object.prototype.get = (target, name) => { real = target; return target[name]; }; Date.name; delete Object.prototype.get; const now = real === null ? Date.now() : new real().getTime(); return [Math.abs(now - Date.now()) < 1 ? "" : "planted"]; }',
  'a result that a later run gives':
    'export default ({ identity }) => { globalThis.give?.([identity.identifier]); return new Promise((give) => { globalThis.give = give; }); }',
  'a result that a later run throws':
    'export default ({ identity }) => { globalThis.fail?.(identity.identifier); return new Promise((_, fail) => { globalThis.fail = fail; }); }',
  'a module that a later run loads':
    'let seen = []; export function then(done) { globalThis.load?.({ default: () => ["planted"] }); globalThis.load = done; } export default ({ identity }) => [identity.identifier]',
  'promises that go on': leave(
    '(async () => { for (let turn = 0; turn < 99; turn++) { await null; console.log("planted", Math.random()); } })();',
  ),
  'a generator that goes on': leave(
    'globalThis.g ??= (async function* () { for (;;) { console.log("planted", Math.random()); yield Date.now(); } })(); for (let a = 0; a < 9; a++) g.next();',
  ),
  'microtasks that go on': leave(
    'const on = (n) => n > 0 && queueMicrotask(() => { console.log("planted", Math.random()); on(n - 1); }); on(99);',
  ),
  'natives that are called later': leave(
    'queueMicrotask(console.log.bind(console, "planted")); Promise.reject(new Error("planted")); Promise.resolve("planted").then(console.log).then(console.log);',
  ),
  'what is collected': leave(
    'globalThis.registry ??= new FinalizationRegistry(console.log); for (let a = 0; a < 999; a++) registry.register({}, "planted");',
  ),
  'the end of its own error':
    'export default () => { try { for (;;); } catch (error) { Reflect.defineProperty(error, "message", { get() { for (;;); } }); Reflect.set(error, "stack", { toJSON: Date.now }); } return []; }',
};
