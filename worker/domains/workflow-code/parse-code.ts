/** Parses compiled workflow code: an ES module without imports whose default export is a function. */
import { type AnyNode, type Expression, type Program, parse } from 'acorn';
import { full } from 'acorn-walk';
import { type CodeProblem, MAX_COMPILED_LENGTH } from '#contracts/internal/workflow-run';
import { readSourceLines } from '#engine/workflows/source-lines';

const NO_IMPORTS = 'Workflows cannot import modules';
const NO_DEFAULT = 'Export the workflow as the default: export default (input) => …';
const NO_FUNCTION = 'The default export is not a function';
const TOO_DEEP = 'The code is nested too deeply';
const TOO_LONG = 'The expression is too long';
/** V8 accepts at most 65,525 arguments, and 65,535 groups in a pattern. */
const MAX_PARTS = 65_000;
const MAX_PROBLEMS = 20;

export type ParsedCode = { readonly program: Program } | { readonly problems: readonly CodeProblem[] };

/** What the browser compiled is not trusted. Lines are those of the source. Never throws. */
export function parseCode(compiled: string): ParsedCode {
  if (compiled.length > MAX_COMPILED_LENGTH) {
    const message = `The compiled code is larger than ${MAX_COMPILED_LENGTH / 1024} KB`;
    return { problems: [{ line: null, message }] };
  }
  const lines = readSourceLines(compiled);
  const atSource = ({ line, message }: CodeProblem) => ({
    line: line === null ? null : (lines[line - 1] ?? line),
    message,
  });
  try {
    const program = parse(compiled, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      locations: true,
      allowHashBang: true,
    });
    const problems = problemsOf(program, compiled);
    return problems.length === 0 ? { program } : { problems: problems.slice(0, MAX_PROBLEMS).map(atSource) };
  } catch (error) {
    return { problems: [atSource(problemOf(error))] };
  }
}

function problemOf(error: unknown): CodeProblem {
  const isTooDeep = error instanceof Error && /stack space/.test(error.message);
  if (error instanceof RangeError || isTooDeep) return { line: null, message: TOO_DEEP };
  if (!(error instanceof SyntaxError)) throw error;
  const { loc } = error as SyntaxError & { loc?: { line: number } };
  return { line: loc?.line ?? null, message: error.message.replace(/ \(\d+:\d+\)$/, '') };
}

function problemsOf(program: Program, compiled: string): CodeProblem[] {
  const problems: CodeProblem[] = [];
  let exported: AnyNode | null = null;
  full(program, (each) => {
    const node = each as AnyNode;
    if (isImport(node)) problems.push({ line: node.loc?.start.line ?? null, message: NO_IMPORTS });
    const refused = refusalOf(node, compiled);
    if (refused !== null) problems.push({ line: node.loc?.start.line ?? null, message: refused });
    exported ??= defaultExportOf(node);
  });
  if (exported === null) problems.push({ line: null, message: NO_DEFAULT });
  else if (isNoFunction(exported)) {
    problems.push({ line: (exported as AnyNode).loc?.start.line ?? null, message: NO_FUNCTION });
  }
  return problems;
}

/** Why V8 refuses what the language allows: such a module would keep all others of an environment from being loaded. */
function refusalOf(node: AnyNode, compiled: string): string | null {
  switch (node.type) {
    case 'CallExpression':
    case 'NewExpression':
      return node.arguments.length > MAX_PARTS ? TOO_LONG : null;
    case 'Literal':
      return (node.regex?.pattern.length ?? 0) > MAX_PARTS ? TOO_LONG : null;
    case 'BinaryExpression':
      return compiled.startsWith('<!--', node.right.start - 1) ? 'Comments of HTML are not allowed' : null;
    default:
      return null;
  }
}

function isImport(node: AnyNode): boolean {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ImportExpression':
    case 'ExportAllDeclaration':
      return true;
    default:
      return node.type === 'ExportNamedDeclaration' && node.source != null;
  }
}

/** What the node exports as the default; null for any other node. */
function defaultExportOf(node: AnyNode): AnyNode | null {
  if (node.type === 'ExportDefaultDeclaration') return node.declaration;
  if (node.type !== 'ExportNamedDeclaration') return null;
  const nameOf = ({ exported }: (typeof node.specifiers)[number]) =>
    exported.type === 'Literal' ? exported.value : exported.name;
  return node.specifiers.find((each) => nameOf(each) === 'default') ?? null;
}

/** Whether that can be told without running the code. */
function isNoFunction(node: AnyNode): boolean {
  const kinds: readonly AnyNode['type'][] = [
    'ObjectExpression' satisfies Expression['type'],
    ...(['ArrayExpression', 'Literal', 'TemplateLiteral', 'ClassDeclaration', 'ClassExpression'] as const),
  ];
  return kinds.includes(node.type);
}
