/**
 * Rewrites a parsed workflow into a module that exports a factory. The factory evaluates the workflow's whole module body, so
 * runs share no variables. Its parameters are the run's globals and these functions, which only rewritten code can name:
 *
 *   __tesseraStep()      at every function entry, loop body, default value and field initialiser: counts, and ends a run over its budget
 *   __tesseraLook()      in its place where an object pattern has a rest, which copies an object: looks at the clock each time
 *   __tesseraResume(x)   around every await and yield: the run is the current one again
 *   __tesseraSpread(x)   around every spread and every array that a declaration copies: counts the elements
 *   __tesseraCopy(x)     around every object spread, and what a for…in goes through
 *   __tesseraText(x)     around every addition and template: ends a run that makes a very long text
 *
 * Line numbers stay the same, so stack traces fit the compiled code.
 */
import type { Node } from 'acorn';
import { full, fullAncestor } from 'acorn-walk';
import MagicString from 'magic-string';
import { GLOBALS, hasRest, type ParsedCode, RESERVED_PREFIX, type SyntaxNode } from './code-problems.ts';

const STEP = `${RESERVED_PREFIX}Step`;
const LOOK = `${RESERVED_PREFIX}Look`;
const RESUME = `${RESERVED_PREFIX}Resume`;
const SPREAD = `${RESERVED_PREFIX}Spread`;
const COPY = `${RESERVED_PREFIX}Copy`;
const TEXT = `${RESERVED_PREFIX}Text`;
const DEFAULT = `${RESERVED_PREFIX}Default`;

/** The factory's parameters. The guest passes them in this order. */
export const FACTORY_PARAMETERS = [STEP, LOOK, RESUME, SPREAD, COPY, TEXT, ...GLOBALS] as const;

const GIVEN: ReadonlySet<string> = new Set(GLOBALS);

/** @returns the text of the module */
export function instrumentCode(compiled: string, { program, declared }: ParsedCode): string {
  const text = new MagicString(compiled);
  const notes = takeNotes(program);
  full(program, (node) => instrumentNode(text, node as Node & Fields, notes));
  for (const node of program.body) rewriteExport(text, node as Node & Fields);
  // A name that the program declares in any scope hides the global of that name in all of them.
  const hidden = [...declared].filter((name) => !GIVEN.has(name));
  const hiding = hidden.length === 0 ? '' : `let ${hidden.join(', ')}; `;
  text.prepend(
    `export default function (${FACTORY_PARAMETERS.join(', ')}) { "use strict"; ${hiding}return (() => { let ${DEFAULT}; ${STEP}(); `,
  );
  text.append(`\n; return ${DEFAULT}; })(); }\n`);
  return text.toString();
}

/** Facts about nodes that depend on what is around them. */
interface Notes {
  /** Functions and loops that copy objects by a pattern with a rest. */
  readonly copying: ReadonlySet<Node>;
  /** Additions within a longer addition, and templates of a tag. */
  readonly measuredOutside: ReadonlySet<Node>;
}

function takeNotes(program: Node): Notes {
  const copying = new Set<Node>();
  const measuredOutside = new Set<Node>();
  fullAncestor(program, (each, _state, ancestors) => {
    const { type, properties, operator, left, quasi } = each as Node & Fields;
    if (type === 'TaggedTemplateExpression' && quasi) measuredOutside.add(quasi);
    if (type === 'BinaryExpression' && operator === '+' && left) measuredOutside.add(left);
    if (type !== 'ObjectPattern' || properties?.at(-1)?.type !== 'RestElement') return;
    const owner = ancestors.findLast((ancestor) => OWNER.test(ancestor.type));
    if (owner !== undefined) copying.add(owner);
  });
  return { copying, measuredOutside };
}

const OWNER = /^(For|While|DoWhile|Function|ArrowFunction).*(Statement|Declaration|Expression)$/;

interface Fields extends SyntaxNode {
  readonly operator?: string;
  readonly left?: Node;
  readonly quasi?: Node;
  readonly expressions?: readonly Node[];
  readonly body?: Node & { readonly body?: readonly Node[] };
  readonly argument?: Node | null;
  readonly value?: Node | null;
  readonly right?: Node | null;
  readonly declaration?: (Node & SyntaxNode) | null;
  readonly elements?: readonly (Node | null)[];
  readonly arguments?: readonly Node[];
  readonly properties?: readonly Node[];
}

function instrumentNode(text: MagicString, node: Node & Fields, { copying, measuredOutside }: Notes): void {
  const step = copying.has(node) ? LOOK : STEP;
  switch (node.type) {
    case 'ForInStatement':
      if (node.right) wrap(text, node.right, `${COPY}(`);
      wrapLoop(text, node, step);
      break;
    case 'ForStatement':
    case 'ForOfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
      wrapLoop(text, node, step);
      break;
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      instrumentFunction(text, node, step);
      break;
    case 'StaticBlock':
      text.appendRight(compiledBrace(text, node.start), ` ${STEP}();`);
      break;
    case 'PropertyDefinition':
      if (node.value) wrap(text, node.value, `(${STEP}(), `);
      break;
    case 'AssignmentPattern':
      if (node.right) wrap(text, node.right, `(${STEP}(), `);
      break;
    case 'AwaitExpression':
    case 'YieldExpression':
      wrap(text, node, `${RESUME}(`);
      break;
    case 'BinaryExpression':
      if (node.operator === '+' && !measuredOutside.has(node)) wrap(text, node, `${TEXT}(`);
      break;
    case 'AssignmentExpression':
      if (node.operator === '+=') wrap(text, node, `${TEXT}(`);
      break;
    case 'TemplateLiteral':
      if (node.expressions?.length && !measuredOutside.has(node)) wrap(text, node, `${TEXT}(`);
      break;
    case 'ArrayExpression':
      wrapSpreads(text, node.elements ?? [], SPREAD);
      break;
    case 'CallExpression':
    case 'NewExpression':
      wrapSpreads(text, node.arguments ?? [], SPREAD);
      break;
    case 'ObjectExpression':
      wrapSpreads(text, node.properties ?? [], COPY);
      break;
    case 'VariableDeclarator':
      if (node.init && node.id?.type === 'ArrayPattern' && hasRest(node.id)) {
        wrap(text, node.init, `${SPREAD}(`);
      }
  }
}

function wrapLoop(text: MagicString, { body }: Fields, step: string): void {
  if (body === undefined) return;
  text.prependRight(body.start, `{ ${step}(); `);
  text.appendLeft(body.end, ' }');
}

function instrumentFunction(text: MagicString, { body }: Fields, step: string): void {
  if (body === undefined) return;
  if (body.type === 'BlockStatement') text.appendRight(body.start + 1, ` ${step}();`);
  else wrap(text, body, `(${step}(), `);
}

/** The position after the brace that opens a static block. */
function compiledBrace(text: MagicString, start: number): number {
  return text.original.indexOf('{', start) + 1;
}

function wrapSpreads(text: MagicString, nodes: readonly (Node | null)[], name: string): void {
  for (const node of nodes) {
    const argument = node?.type === 'SpreadElement' ? (node as Node & Fields).argument : null;
    if (argument) wrap(text, argument, `${name}(`);
  }
}

/** Outer nodes are visited after inner ones, so their text goes outside. */
function wrap(text: MagicString, node: Node, opening: string): void {
  text.prependRight(node.start, opening);
  text.appendLeft(node.end, ')');
}

/** A function has no exports: the default export becomes a variable, and others are declarations only. */
function rewriteExport(text: MagicString, node: Node & Fields): void {
  const { declaration } = node;
  if (node.type === 'ExportDefaultDeclaration' && declaration) {
    const name = declaration.id?.name;
    if (/Declaration$/.test(declaration.type) && name !== undefined) {
      text.remove(node.start, declaration.start);
      // Functions are hoisted, and classes are not, so the end of the module is right for both.
      text.append(`\n; ${DEFAULT} = ${name};`);
      return;
    }
    text.overwrite(node.start, declaration.start, `${DEFAULT} = (`);
    text.appendLeft(declaration.end, ');');
  } else if (node.type === 'ExportNamedDeclaration') {
    if (declaration) {
      text.remove(node.start, declaration.start);
      return;
    }
    const found = (node.specifiers ?? []).find(
      ({ exported }) => (exported.name ?? exported.value) === 'default',
    );
    text.remove(node.start, node.end);
    if (found) text.append(`\n; ${DEFAULT} = ${found.local.name};`);
  }
}
