/**
 * Parses compiled JavaScript and lists what workflows may not contain. A program that passes has no import, refers to no
 * global but the listed ones, and has only regular expressions that a linear engine can execute.
 */
import { type Node, type Program, parse } from 'acorn';
import { base, full } from 'acorn-walk';
import { type CodeProblem, MAX_COMPILED_LENGTH } from '#contracts/internal/workflow-run';
import { patternProblem } from './pattern-problem.ts';

/** The globals of a workflow. Everything else, the global object included, is out of reach. */
export const GLOBALS = [
  ...['Object', 'Array', 'String', 'Number', 'Boolean', 'Symbol', 'Map', 'Set', 'WeakMap', 'WeakSet'],
  ...[
    'Reflect',
    'Intl',
    'JSON',
    'Math',
    'Date',
    'RegExp',
    'Promise',
    'console',
    'isNaN',
    'isFinite',
    'parseInt',
    'parseFloat',
  ],
  ...['Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'URIError', 'EvalError'],
  ...['AggregateError', 'encodeURI', 'encodeURIComponent', 'decodeURI', 'decodeURIComponent'],
] as const;

const NUMBERS_ONLY =
  'Its arithmetic can take unlimited time. Use numbers, which are exact up to 9,007,199,254,740,991';
const ARRAYS_ONLY = 'It reserves memory that no budget covers. Use arrays of numbers';
const NO_NETWORK = 'They have no network access and decide from their input';
const NO_TIMERS = 'They run within an access check, without timers';
const NO_GLOBAL = 'Each run has its own built-in objects, so there is no shared global object';
const NO_THREADS = 'Each run has a single thread and no shared memory';

/** Why names that developers may look for are out of reach. */
const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ BigInt: NUMBERS_ONLY, BigInt64Array: NUMBERS_ONLY, BigUint64Array: NUMBERS_ONLY },
    ...{ ArrayBuffer: ARRAYS_ONLY, DataView: ARRAYS_ONLY, Uint8Array: ARRAYS_ONLY, Int8Array: ARRAYS_ONLY },
    ...{ Uint8ClampedArray: ARRAYS_ONLY, Uint16Array: ARRAYS_ONLY, Int16Array: ARRAYS_ONLY },
    ...{ Uint32Array: ARRAYS_ONLY, Int32Array: ARRAYS_ONLY },
    ...{ Float32Array: ARRAYS_ONLY, Float64Array: ARRAYS_ONLY },
    ...{ fetch: NO_NETWORK, WebSocket: NO_NETWORK, XMLHttpRequest: NO_NETWORK, caches: NO_NETWORK },
    ...{ setTimeout: NO_TIMERS, setInterval: NO_TIMERS, queueMicrotask: NO_TIMERS, scheduler: NO_TIMERS },
    ...{ globalThis: NO_GLOBAL, self: NO_GLOBAL, window: NO_GLOBAL, process: NO_GLOBAL },
    ...{ SharedArrayBuffer: NO_THREADS, Atomics: NO_THREADS, Worker: NO_THREADS },
    Proxy: 'Built-in functions would run its traps without interruption. Use getters',
    crypto: 'Use Math.random(), which is seeded so that a run can be repeated',
    require: 'A workflow is a single file without modules',
  }),
);

/** Names of instrumented code begin with this. */
export const RESERVED_PREFIX = '__tessera';

const CONSTANTS = ['undefined', 'NaN', 'Infinity'];
const ALLOWED: ReadonlySet<string> = new Set([...GLOBALS, ...CONSTANTS]);
const MAX_PROBLEMS = 20;
/** A walk that does not enter functions. */
const OUTSIDE_FUNCTIONS = { ...base, Function: () => undefined };

/** A parsed program, with the names that it declares in any scope. */
export interface ParsedCode {
  readonly program: Program;
  readonly declared: ReadonlySet<string>;
}

export function parseCode(compiled: string): ParsedCode | { readonly problems: readonly CodeProblem[] } {
  if (compiled.length > MAX_COMPILED_LENGTH) {
    const limit = `${MAX_COMPILED_LENGTH / 1024} KB`;
    return { problems: [{ line: null, message: `The compiled code is larger than ${limit}` }] };
  }
  try {
    const program = parse(compiled, {
      ...{ ecmaVersion: 2025, sourceType: 'module', locations: true },
      allowHashBang: false,
    });
    const declared = declaredNames(program);
    const problems = problemsOf(program, declared);
    return problems.length > 0 ? { problems: problems.slice(0, MAX_PROBLEMS) } : { program, declared };
  } catch (error) {
    return { problems: [problemOf(error)] };
  }
}

function problemOf(error: unknown): CodeProblem {
  const isTooDeep = error instanceof Error && /stack space/.test(error.message);
  if (error instanceof RangeError || isTooDeep)
    return { line: null, message: 'The code is nested too deeply' };
  if (!(error instanceof SyntaxError)) throw error;
  const { loc } = error as SyntaxError & { loc?: { line: number } };
  return { line: loc?.line ?? null, message: error.message.replace(/ \(\d+:\d+\)$/, '') };
}

function problemsOf(program: Program, declared: ReadonlySet<string>): CodeProblem[] {
  const problems: CodeProblem[] = [];
  const refuse = (node: Node, message: string) => {
    const line = node.loc?.start.line ?? null;
    if (!problems.some((known) => known.line === line && known.message === message)) {
      problems.push({ line, message });
    }
  };
  const copying = copyingPatterns(program);
  full(
    program,
    (node) => {
      if (isAwait(node as Node & SyntaxNode)) refuse(node, 'await is not available outside a function');
    },
    OUTSIDE_FUNCTIONS,
  );
  let hasDefault = false;
  full(program, (each) => {
    const node = each as Node & SyntaxNode;
    const why = refusalOf(node, declared, copying);
    if (why !== null) refuse(node, why);
    if (isDefaultExport(node)) hasDefault = true;
  });
  if (!hasDefault) {
    problems.push({ line: null, message: 'Export the workflow as the default: export default (input) => …' });
  }
  return problems;
}

/** The fields that the rules read, of any kind of node. */
export interface SyntaxNode {
  readonly name?: string;
  readonly source?: Node | null;
  readonly regex?: { readonly pattern: string };
  readonly bigint?: string;
  readonly await?: boolean;
  readonly id?: (Node & SyntaxNode) | null;
  readonly init?: Node | null;
  readonly elements?: readonly (Node | null)[];
  readonly specifiers?: readonly {
    readonly local: Node & SyntaxNode;
    readonly exported: Node & { readonly name?: string; readonly value?: unknown };
  }[];
}

/** Why the program may not contain this node; null if it may. */
function refusalOf(
  node: Node & SyntaxNode,
  declared: ReadonlySet<string>,
  copying: ReadonlySet<Node>,
): string | null {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ImportExpression':
    case 'ExportAllDeclaration':
      return 'Workflows cannot import modules';
    case 'ExportNamedDeclaration':
      return node.source ? 'Workflows cannot import modules' : null;
    case 'MetaProperty':
      return 'import.meta and new.target are not available in workflows';
    case 'DebuggerStatement':
      return 'debugger is not available in workflows';
    case 'Literal':
      if (node.bigint) return unavailable('BigInt');
      return node.regex ? patternProblem(node.regex.pattern) : null;
    case 'ArrayPattern':
      return hasRest(node) && !copying.has(node)
        ? 'Use slice(): a rest element needs a declaration of its own, as in const [first, ...rest] = list'
        : null;
    case 'Identifier':
      return refusalOfName(node.name ?? '', declared);
    default:
      return null;
  }
}

function refusalOfName(name: string, declared: ReadonlySet<string>): string | null {
  if (name.startsWith(RESERVED_PREFIX)) return `Names that begin with ${RESERVED_PREFIX} are reserved`;
  if (name === 'eval' || name === 'Function') return 'Workflows cannot use eval or new Function';
  if (name === 'arguments') return 'Use rest parameters instead of arguments';
  return ALLOWED.has(name) || declared.has(name) ? null : unavailable(name);
}

function unavailable(name: string): string {
  const reason = REASONS.get(name);
  return `${name} is not available in workflows${reason === undefined ? '' : `. ${reason}.`}`;
}

export function hasRest({ elements = [] }: SyntaxNode): boolean {
  return elements.at(-1)?.type === 'RestElement';
}

/** Array patterns with a rest element whose source the instrumentation can measure: those of declarations. */
function copyingPatterns(program: Program): ReadonlySet<Node> {
  const patterns = new Set<Node>();
  full(program, (each) => {
    const node = each as Node & SyntaxNode;
    if (node.type === 'VariableDeclarator' && node.init && node.id) patterns.add(node.id);
  });
  return patterns;
}

/** The callers leave functions out. */
function isAwait({ type, await: isAsync }: Node & SyntaxNode): boolean {
  return type === 'AwaitExpression' || (type === 'ForOfStatement' && isAsync === true);
}

function isDefaultExport(node: Node & SyntaxNode): boolean {
  if (node.type === 'ExportDefaultDeclaration') return true;
  return (
    node.type === 'ExportNamedDeclaration' &&
    (node.specifiers ?? []).some(({ exported }) => (exported.name ?? exported.value) === 'default')
  );
}

/** The names that any scope declares or assigns to. */
function declaredNames(program: Program): ReadonlySet<string> {
  const names = new Set<string>();
  full(program, (node, _state, type) => {
    if (type === 'VariablePattern') names.add((node as Node & SyntaxNode).name ?? '');
  });
  return names;
}
