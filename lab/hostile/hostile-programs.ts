// Programs that try to run for ever, use up memory, get out of the sandbox, or leave something behind. All of them are valid workflows.

/** Each is a module that ends by itself, by its steps or with an error. The name says what it tries. */
export const ENDING_PROGRAMS: Readonly<Record<string, string>> = {
  // Loops of every kind.
  while: 'export default () => { while (true); }',
  'do while': 'export default () => { do {} while (true); }',
  'for without a body': 'export default () => { for (;;); }',
  'for that only updates': 'export default () => { let i = 0; for (;; i++); }',
  'for of over an endless generator':
    'function* g() { for (;;) yield 1; } export default () => { for (const x of g()); }',
  'for in that restarts': 'export default () => { for (;;) for (const k in { a: 1 }); }',
  'for of over a hostile iterator':
    'export default () => { const it = { [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) }; for (const x of it); }',
  'for await of promises': 'export default async () => { for (;;) await Promise.resolve(); }',
  'await of a value': 'export default async () => { for (;;) await 0; }',
  'labelled continue': 'export default () => { a: for (;;) { for (;;) continue a; } }',
  'labelled block': 'export default () => { a: { for (;;) { if (false) break a; } } }',
  'loop in a catch': 'export default () => { for (;;) { try { throw 1; } catch { continue; } } }',
  'loop in a finally': 'export default () => { try { for (;;); } finally { for (;;); } }',
  'loop that swallows the end': 'export default () => { for (;;) { try { for (;;); } catch {} } }',
  'return in a finally': 'export default () => { for (;;) { try { for (;;); } finally { continue; } } }',
  'loop in a getter': 'export default () => ({ get plans() { for (;;); } })',
  'loop in a setter': 'export default () => { const o = { set a(v) { for (;;); } }; o.a = 1; }',
  'loop in toString': 'export default () => String({ toString() { for (;;); } })',
  'loop in valueOf': 'export default () => +{ valueOf() { for (;;); } }',
  'loop in toPrimitive': 'export default () => 1 + { [Symbol.toPrimitive]() { for (;;); } }',
  'loop in toJSON': 'export default () => ({ toJSON() { for (;;); } })',
  'loop in then': 'export default () => ({ then() { for (;;); } })',
  'loop in a tag': 'const tag = () => { for (;;); }; export default () => tag`x`',
  'loop in a default parameter': 'const f = (a = (() => { for (;;); })()) => a; export default () => f()',
  'loop in a static block': 'export default () => { class A { static { for (;;); } } }',
  'loop in a field': 'export default () => { class A { a = (() => { for (;;); })(); } new A(); }',
  'loop in a computed key': 'export default () => ({ [(() => { for (;;); })()]: 1 })',
  'loop in a comparator': 'export default () => [3, 2, 1].sort(() => { for (;;); })',
  'loop in a replacer': 'export default () => "aaa".replace(/a/g, () => { for (;;); })',
  'loop in a reviver': 'export default () => JSON.parse("[1,2]", () => { for (;;); })',
  'loop in a new Promise': 'export default () => new Promise(() => { for (;;); })',
  'loop in a Symbol.hasInstance':
    'export default () => 1 instanceof { [Symbol.hasInstance]() { for (;;); } }',
  'loop in a Symbol.species':
    'class A extends Array { static get [Symbol.species]() { for (;;); } } export default () => new A().map(String)',
  'loop at start-up': 'for (;;); export default () => [];',
  // Recursion.
  recursion: 'const f = () => f(); export default () => f()',
  'recursion through getters':
    'const o = { get a() { return this.a; } }; export default () => { for (;;) { try { o.a; } catch {} } }',
  'mutual async recursion':
    'const a = async () => { await b(); }, b = async () => { await a(); }; export default () => a()',
  'generators that delegate': 'function* g() { yield* g(); } export default () => [...g()]',
  // Promises.
  'a promise that never settles': 'export default () => new Promise(() => {})',
  'promises that fork': 'const fork = async () => { await 0; fork(); fork(); }; export default () => fork()',
  'a fork that outlives the answer':
    'const on = async () => { for (;;) await 0; }; export default () => { on(); return []; }',
  'a thenable of thenables': 'const t = () => ({ then(next) { next(t()); } }); export default () => t()',
  'a rejection that nobody sees': 'export default () => { Promise.reject(new Error("x")); return []; }',
  // Memory, and natives that take a length.
  'doubled text': 'export default () => { let s = "x"; for (;;) s += s; }',
  'repeated text': 'export default () => "x".repeat(2 ** 29).length',
  'repeated text with a lying count':
    'let n = 0; export default () => "x".repeat({ valueOf: () => (n++ ? 2 ** 29 : 1) })',
  'a template that doubles': 'export default () => { let s = "1"; for (;;) s = `$' + '{s}$' + '{s}`; }',
  'replaced text': 'export default () => "x".repeat(1e6).replaceAll("x", "y".repeat(1e6))',
  'a long array': 'export default () => { const a = []; a.length = 2 ** 32 - 1; return a.indexOf(1); }',
  'a long array that is joined': 'export default () => Array(2 ** 32 - 1).join("x")',
  'long texts that are searched for':
    "export default () => Array(200000).fill('a'.repeat(262142) + 'b').indexOf('a'.repeat(262142) + 'c')",
  'long errors that are sorted':
    'export default () => Array.from({ length: 20000 }, () => error).sort().length; const error = new Error("a".repeat(262100));',
  'a long text that separates':
    'export default () => "a".repeat(262144).split("b" + "a".repeat(131072)).length',
  'what precedes each match': 'export default () => "x".repeat(30000).replaceAll("x", "$`").length',
  'endless logs': 'export default () => { for (;;) console.log("x".repeat(1000)); }',
  'a call with a long list': 'export default () => Math.max.apply(null, { length: 2 ** 53 - 1 })',
  'Reflect with a long list': 'export default () => Reflect.apply(Math.max, null, { length: 2 ** 53 - 1 })',
  'Reflect with a long list of arguments':
    'export default () => Reflect.construct(Array, { length: 2 ** 53 - 1 })',
  'a loop by Reflect': 'export default () => { for (;;) Reflect.ownKeys({ a: 1 }); }',
  'Function by Reflect': 'export default () => Reflect.construct((() => {}).constructor, ["return this"])()',
  'the real Date by Reflect':
    'export default () => Reflect.construct(Reflect.getPrototypeOf(new Date()).constructor, []).getTime()',
  'iterator helpers':
    'export default () => [1].values().constructor.from({ next: () => ({ done: false }) }).toArray()',
  // Results that are no data.
  'a cyclic result': 'export default () => { const a = {}; a.a = a; return a; }',
  'a huge result': 'export default () => "x".repeat(200000)',
  'a result of many plans': 'export default () => Array.from({ length: 20000 }, (_, i) => "plan-" + i)',
  'a function': 'export default () => () => {}',
  'a symbol': 'export default () => Symbol("x")',
  nothing: 'export default () => undefined',
  'a getter that throws': 'export default () => ({ get plans() { throw new Error("x"); } })',
  'a thrown object without text':
    'export default () => { throw { get message() { throw 1; }, toString: null }; }',
  'a thrown null prototype': 'export default () => { throw Object.create(null); }',
  'a deep result': 'export default () => { let a = []; for (let i = 0; i < 5000; i++) a = [a]; return a; }',
  // Ways out.
  'Function through a constructor': 'export default () => (() => {}).constructor("return this")()',
  AsyncFunction: 'export default () => (async () => {}).constructor("return this")()',
  GeneratorFunction: 'export default () => (function* () {}).constructor("return this")().next()',
  'Function through an error':
    'export default () => { try { null.x; } catch (e) { return e.constructor.constructor("return this")(); } }',
  'Function through a class': 'export default () => (class {}).constructor("return 1")()',
  'this of a function': 'export default () => (function () { return this; })().fetch("http://127.0.0.1")',
  'this of a callback': 'export default () => [1].map(function () { return this.fetch; })',
  'the global by a sort': 'export default () => [1, 2].sort(function () { return this.x; })',
  'the caller of a function': 'export default () => (function f() { return f.caller; })()',
  'the present by a Date of a Date': 'export default () => new (new Date(0).constructor)().getTime()',
  'a stack trace hook':
    'export default () => { Error.prepareStackTrace = (_, s) => s[0].getThis(); return new Error().stack; }',
  'an own toJSON of everything':
    'export default () => { Object.prototype.toJSON = () => ["pro"]; return []; }',
  'an import by a template':
    'const name = "import"; export default () => globalThisIsGone(name); function globalThisIsGone(x) { return x("fs"); }',
  // The inserted steps, hidden or outwitted.
  'a step by another spelling': 'export default () => { const st\\u0065p = () => {}; for (;;); }',
  'a step in a parameter': 'export default (input, \\u{73}tep = () => 0) => { for (;;); }',
  'a step as a label and a key':
    'export default () => { step: for (;;) { ({ step: 1 }).step; continue step; } }',
  'a hash-bang': '#!/usr/bin/env node while (true)\nexport default () => { for (;;); }',
  'a comment of HTML': 'let b = 3; export default () => { for (;;) if (1 <!--b\n) break; }',
  'a pattern or a division':
    'let a = 1, g = 1; export default () => { while (a) a\n/1/g; for (;;) /[/]}/.test("x"); }',
  'a body without a semicolon':
    'export default () => { let a = 0; do a++\nwhile (a < 3) while (true) a\n++a }',
  'a directive': 'export default function () { "use strict"; for (;;); }',
  'an empty export': 'const f = () => { for (;;); }; export {}; export { f as "default" }; export {}',
  'a comment without an end of line': 'export default () => { for (;;); } // */ `',
  'arrows of arrows': 'export default () => (() => async () => (() => { for (;;); })())()()',
  'resources that are disposed of':
    'export default () => { for (;;) { using a = { [Symbol.dispose]() { for (;;); } }; } }',
  'an asynchronous generator':
    'async function* g() { for (;;) yield 1; } export default async () => { const it = g(); for (;;) await it.next(); }',
  'iterator helpers of a generator':
    'export default () => (function* () { for (;;) yield 1; })().map((x) => x).filter((x) => x < 0).toArray()',
  'a Proxy of everything':
    'const p = new Proxy({}, { get: () => p, ownKeys: () => { for (;;); } }); export default () => ({ ...p })',
  // The line map, the reply and the result.
  'lines that lie': 'export default () => { null.x; }\n//# sourceLines=99999,1,1,1',
  'lines that are none': 'export default () => { null.x; }\n//# sourceLines=1,-9,9e9,,',
  'a module that is loaded later': 'export function then() {} export default () => []',
  'a module that throws nothing': 'throw undefined; export default () => []',
  'a thenable for everybody': 'export default () => { Object.prototype.then = () => {}; return []; }',
  'keys of Object.prototype':
    'export default () => JSON.parse(\'{"__proto__":{"plans":["pro"]},"constructor":1,"toString":2,"mode":"add"}\')',
  'plans of Object.prototype':
    'export default () => ["__proto__", "constructor", "toString", "hasOwnProperty"]',
  'a result that is nested as deeply as it can be':
    'export default () => { let a = []; for (let i = 0; i < 32000; i++) a = [a]; return a; }',
  'texts that are no Unicode':
    'export default () => { console.log("\\ud800\\u0000"); return ["\\udfff", "\\u0000", "\\u2028"]; }',
  'logs that are hostile':
    'export default () => { const a = {}; a.a = a; for (const each of [Symbol("x"), 1n, () => {}, new Proxy({}, { get() { throw 1; } })]) try { console.log(each); } catch {} console.log("x".repeat(1e6)); console.log(a); }',
  'an error with hostile properties':
    'export default () => { throw { get name() { for (;;); }, get message() { return 1; }, get stack() { throw 1; } }; }',
  'an answer in the end of an end':
    'export default () => ({ toJSON() { try { for (;;); } finally { return ["pro"]; } } })',
  // Ways out.
  'the entry of the platform':
    'export default () => Object.getPrototypeOf(globalThis).constructor.prototype.constructor.name + new (Object.getPrototypeOf(Object.getPrototypeOf(Object.getPrototypeOf(globalThis))).constructor)().addEventListener',
  'an import in an eval': 'export default () => (0, eval)("import(\'cloudflare:workers\')")',
  'what a module knows of itself': 'export default () => Object.keys(import.meta)',
  'a clone of a function': 'export default () => structuredClone(globalThis)',
  'more arguments than V8 accepts': `export default () => Math.max(${'1,'.repeat(70_000)}1)`,
  'more groups than V8 accepts': `export default () => /${'()'.repeat(70_000)}/.test('a')`,
  'a very long list': `export default () => [${'1,'.repeat(60_000)}].length`,
  'a very deep expression': `export default () => ${'['.repeat(2_000)}${']'.repeat(2_000)}`,
};

/** Each keeps a native busy, or recurses where there is no step: only a limit of the platform ends it. */
export const ENDLESS_PROGRAMS: Readonly<Record<string, string>> = {
  'for await':
    'async function* g() { for (;;) yield 1; } export default async () => { for await (const x of g()); }',
  'recursion that catches': 'function f() { try { f(); } catch { f(); } } export default () => f()',
  'recursion twice':
    'const f = () => { try { f(); } catch {} try { f(); } catch {} }; export default () => f()',
  'recursion through fields':
    'class A { a = new A(); } export default () => { for (;;) { try { new A(); } catch {} } }',
  'recursion through parameters':
    'function f(a = f()) {} export default () => { for (;;) { try { f(); } catch {} } }',
  'a native microtask loop':
    'export default () => { const t = {}; const p = Promise.resolve(t); t.then = p.then.bind(p); return t; }',
  'a thenable by forEach': 'const t = {}; t.then = Array.prototype.forEach.bind([t]); export default () => t',
  'Promise.all of an endless iterable':
    'export default () => Promise.all({ [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) })',
  'a text that is doubled and read':
    'export default () => { let s = "1"; for (let i = 0; i < 28; i++) s += s; for (;;) +s; }',
  'a long text read by an operator': 'export default () => { const s = "1".repeat(5e6); for (;;) +s; }',
  'a long text read by Number.parseInt':
    'export default () => { const s = "1".repeat(2e5); for (;;) Number.parseInt(s, 7); }',
  'symbols of long texts':
    'export default () => { let n = 0; const s = "x".repeat(2e5); for (;;) Symbol.for(s + n++); }',
  'padded text': 'export default () => { const all = []; for (;;) all.push("x".padEnd(2 ** 28)); }',
  'String.raw': 'export default () => String.raw({ raw: { length: 2 ** 53 - 1 } })',
  'a filled array': 'export default () => new Array(1e8).fill(0)',
  'a long array that is spread':
    'export default () => { const a = []; a.length = 2 ** 32 - 1; return Math.max(...a); }',
  'a long array that is copied':
    'export default () => { const a = []; a.length = 2 ** 32 - 1; const [, ...rest] = a; return rest; }',
  'a long array in a Set':
    'export default () => { const a = []; a.length = 2 ** 32 - 1; return new Set(a).size; }',
  'a long array in an AggregateError':
    'export default () => { const a = []; a.length = 2 ** 32 - 1; return new AggregateError(a.keys()).errors.length; }',
  'an endless sum':
    'export default () => { const a = []; a.length = 2 ** 32 - 1; return Math.sumPrecise(a.keys()); }',
  'what only looks like a set':
    'export default () => { const a = []; a.length = 2 ** 32 - 1; return new Set().union({ size: 1, has: Boolean, keys: () => a.keys() }).size; }',
  'a set with other keys':
    'export default () => { const a = []; a.length = 2 ** 32 - 1; const s = new Set([1]); s.keys = () => a.keys(); return new Set().union(s).size; }',
  'a rest of many properties':
    'export default () => { const o = {}; for (let i = 0; i < 1e5; i++) o[i] = i; for (;;) { const { a, ...rest } = o; } }',
  'a rest of many properties in a parameter':
    'export default () => { const f = ({ a, ...rest }) => rest; const o = {}; for (let i = 0; i < 1e5; i++) o[i] = i; for (;;) f(o); }',
  'a delegate of a long array':
    'function* g() { const a = []; a.length = 2 ** 32 - 1; yield* a; } export default () => new Set(g())',
  'an array-like that lies': 'export default () => Array.prototype.fill.call({ length: 2 ** 53 - 1 }, 0)',
  'Array.from a length': 'export default () => Array.from({ length: 1e9 })',
  'doubled arrays':
    'export default () => { let a = [1]; for (;;) try { a = [...a, ...a]; } catch { a = [1]; } }',
  'doubled arrays by concat':
    'export default () => { let a = [1]; for (;;) try { a = a.concat(a); } catch { a = [1]; } }',
  'nested arrays that are flat':
    'export default () => { let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; return a.flat(Infinity); }',
  'nested arrays as text':
    'export default () => { let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; return String(a); }',
  'nested objects as JSON':
    'export default () => { let a = {}; for (let i = 0; i < 40; i++) a = { a, b: a }; return JSON.stringify(a); }',
  'a nested result':
    'export default () => { let a = {}; for (let i = 0; i < 40; i++) a = { a, b: a }; return a; }',
  'a big sort':
    'export default () => { const a = []; for (let i = 0; i < 3e5; i++) a.push(Math.random()); for (;;) a.sort(); }',
  'long texts that are sorted':
    'export default () => { const s = "a".repeat(262100); const a = []; for (let i = 0; i < 4000; i++) a.push(s + (i % 300)); return a.sort().length; }',
  'long texts that are joined': 'export default () => Array(2000).fill("a".repeat(262144)).join().length',
  'long texts that are joined by their locale':
    'export default () => Array(2000).fill("a".repeat(262144)).toLocaleString().length',
  'a long text that is searched for in a longer one':
    'export default () => "a".repeat(262144).lastIndexOf("a".repeat(131072) + "b")',
  'long replacements of a function':
    'export default () => { const s = "a".repeat(262144); return "x".repeat(2000).replace(/x/g, () => s).length; }',
  'long keys of a Map':
    'export default () => { const s = "a".repeat(20000); const m = new Map(); for (let i = 0; i < 1e5; i++) m.set(s + (1e5 + i), i); return m.size; }',
  'long keys of entries':
    'export default () => { const s = "a".repeat(20000); return Object.keys(Object.fromEntries(Array.from({ length: 4000 }, (_, i) => [s + (10000 + i), i]))).length; }',
  'long keys as JSON':
    'export default () => { const o = { ["a".repeat(262144)]: 1 }; return JSON.stringify(Array(2000).fill(o)).length; }',
  'a big spread object':
    'export default () => { const o = {}; for (let i = 0; i < 1e5; i++) o[i] = i; const all = []; for (;;) all.push({ ...o }); }',
  'endless locales of a number': 'export default () => (1).toLocaleString({ length: 2 ** 53 - 1 })',
  'endless locales of a date': 'export default () => new Date().toLocaleDateString({ length: 2 ** 53 - 1 })',
  'endless locales of a comparison': 'export default () => "a".localeCompare("b", { length: 2 ** 53 - 1 })',
  'endless locales of upper case': 'export default () => "a".toLocaleUpperCase({ length: 2 ** 53 - 1 })',
  'endless locales of an array': 'export default () => [1].toLocaleString({ length: 2 ** 53 - 1 })',
  'endless locales of a format':
    'export default () => new Intl.NumberFormat({ length: 2 ** 53 - 1 }).format(1)',
  'endless locales that are supported':
    'export default () => Intl.DateTimeFormat.supportedLocalesOf({ length: 2 ** 53 - 1 })',
  'endless locales of an inherited format':
    'export default () => new (class extends Intl.PluralRules {})({ length: 2 ** 53 - 1 })',
  'many formats':
    'export default () => { const all = []; for (;;) all.push(new Intl.DateTimeFormat("en")); }',
  'a format without end':
    'export default () => { const f = Intl.NumberFormat("en"); for (;;) f.format(1e300); }',
  'keys of a long text': 'export default () => { for (;;) Object.keys("x".repeat(5e6)); }',
  'entries of a long text': 'export default () => Object.entries("x".repeat(8e6)).length',
  'a long text that is assigned': 'export default () => Object.assign({}, 1, "x".repeat(8e6))',
  'a long text that is spread into an object': 'export default () => ({ ...("x".repeat(8e6)) })',
  'for in over a long text': 'export default () => { for (const k in "x".repeat(8e6)) return k; }',
  'for in over a long text in an object':
    'export default () => { for (const k in Object("x".repeat(8e6))) return k; }',
  'a long text that is encoded':
    'export default () => { const s = "\\u20ac".repeat(2e6); for (;;) encodeURIComponent(s); }',
  'a long text that is a number':
    'export default () => { const s = "1".repeat(5e6); for (;;) parseInt(s, 7); }',
  'a long array by Reflect': 'export default () => Reflect.construct(Array, [1e8]).fill(0)',
  'a regular expression that backtracks': 'export default () => /^(a+)+$/.test("a".repeat(40) + "!")',
  'one built from text': 'export default () => new RegExp("^(a|aa)+$").test("a".repeat(60) + "!")',
  'one built from text that looks around':
    'export default () => new RegExp("(?=(a+)+$)b").test("a".repeat(40))',
  'one that is built with nested counts':
    'export default () => { for (;;) new RegExp("((((a{30}){30}){30}){30}){30}").test("a"); }',
  'a match by text': 'export default () => ("a".repeat(40) + "!").match("(a+)+\\\\1$")',
  'a native that iterates for ever':
    'export default () => Iterator.from({ next: Object.bind(null, {}) }).toArray()',
  'a native that reduces for ever':
    'export default () => Iterator.from({ next: Object.bind(null, {}) }).reduce(Math.max)',
  'a list of what never ends':
    'export default () => Array.fromAsync({ [Symbol.iterator]: Object.bind(null, { next: Object.bind(null, {}) }) })',
  'microtasks of natives':
    'const on = []; export default () => { const run = Reflect.apply.bind(null, queueMicrotask, null, on); on.push(run); run(); return []; }',
  'a large power':
    'export default () => { let n = 3n; for (let i = 0; i < 24; i++) n *= n; return String(n).length; }',
  'a clone of a large list':
    'export default () => structuredClone(Array.from({ length: 3e7 }, Object)).length',
  'a list that is reversed': 'export default () => Array.prototype.reverse.call({ length: 2 ** 53 - 1 })',
  'a pattern of an address':
    'export default () => new URLPattern({ pathname: "/:x((?:a+)+)" }).test("https://a.example/" + "a".repeat(40) + "!")',
  'fields that make each other':
    'class A { b = new B(); } class B { a = new A(); } export default () => { const f = () => { try { new A(); } finally { new B(); } }; for (;;) try { f(); } catch {} }',
  'a long text in its normal form':
    'export default () => { for (;;) "\\u1e9b\\u0323".repeat(5e6).normalize("NFKD"); }',
};

const many = (count: number, write: (name: string) => string) =>
  Array.from({ length: count }, (_, index) => write(`a${index.toString(36)}`)).join('');

/** Each takes a parser as long as it can, or is accepted by the language and refused by V8. All are of a size that may be saved. */
export const READING_PROGRAMS: Readonly<Record<string, string>> = {
  'a scope of 40,000 names': `export default () => { let ${many(40_000, (name) => `${name},`)}z; }`,
  '600 blocks around 40,000 variables': `export default () => { ${'{'.repeat(600)}var ${many(40_000, (name) => `${name},`)}z;${'}'.repeat(600)} }`,
  '25,000 named groups': `export default () => /${many(25_000, (name) => `(?<${name}>)`)}/`,
  '30,000 groups of one name': `export default () => /${'(?<a>)|'.repeat(30_000)}b/`,
  'a function of 65,535 parameters': `export default () => { function f(${'[],'.repeat(65_534)}[]) {} }`,
  '40,000 functions': `export default () => [${'()=>0,'.repeat(40_000)}]`,
  '13,000 functions with names': `export default () => { ${many(13_000, (name) => `function ${name}(){}`)} }`,
  '20,000 private names': `export default () => class { ${many(20_000, (name) => `#${name};`)} }`,
  'a number of 250,000 digits': `export default () => ${'9'.repeat(250_000)}n`,
  'a pattern of 250,000 branches': `export default () => /${'|'.repeat(250_000)}/`,
};
