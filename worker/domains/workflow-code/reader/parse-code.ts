/** Parses compiled workflow code: an ES module without imports whose default export is a function. */
import type { AnyNode, Expression, Program, Token } from 'acorn';
import { full } from 'acorn-walk';
import { type CodeProblem, MAX_COMPILED_LENGTH } from '#contracts/internal/workflow-run';
import { MAX_PROBLEMS } from '../code-reading.ts';
import { BoundedParser } from './bounded-parser.ts';

const NO_IMPORTS = 'Workflows cannot import modules';
const NO_DEFAULT = 'Export the workflow as the default: export default (input) => …';
const NO_FUNCTION = 'The default export is not a function';
const TOO_DEEP = 'The code is nested too deeply';

export type ParsedCode = { readonly program: Program } | { readonly problems: readonly CodeProblem[] };

/**
 * What the browser compiled is not trusted. Never throws.
 * @param lines the source's line of each line; problems name the source's
 * @param onToken each token, up to a problem
 */
export function parseCode(
  compiled: string,
  lines: readonly number[],
  onToken?: (token: Token) => void,
): ParsedCode {
  if (compiled.length > MAX_COMPILED_LENGTH) {
    const message = `The compiled code is larger than ${MAX_COMPILED_LENGTH / 1024} KB`;
    return { problems: [{ line: null, message }] };
  }
  const atSource = ({ line, message }: CodeProblem) => ({
    line: line === null ? null : (lines[line - 1] ?? line),
    message,
  });
  try {
    const program = BoundedParser.parse(compiled, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      locations: true,
      allowHashBang: true,
      ...(onToken && { onToken }),
    });
    const problems = problemsOf(program);
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

function problemsOf(program: Program): CodeProblem[] {
  const problems: CodeProblem[] = [];
  let exported: AnyNode | null = null;
  full(program, (each) => {
    const node = each as AnyNode;
    if (isImport(node)) problems.push({ line: node.loc?.start.line ?? null, message: NO_IMPORTS });
    exported ??= defaultExportOf(node);
  });
  if (exported === null) problems.push({ line: null, message: NO_DEFAULT });
  else if (isNoFunction(exported)) {
    problems.push({ line: (exported as AnyNode).loc?.start.line ?? null, message: NO_FUNCTION });
  }
  return problems;
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
