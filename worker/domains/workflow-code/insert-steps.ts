/**
 * Inserts a step into every loop body and every function, so that an honest mistake such as `while (true)` ends with its line. Text is
 * only inserted, never removed or replaced, and no line moves. The isolate is the boundary, not the steps.
 */
import type { AnyNode, Identifier, Program } from 'acorn';
import { full } from 'acorn-walk';

/** The module that workflows' steps are imported from. */
export const STEPS_MODULE = './guest.js';

interface Insertion {
  readonly at: number;
  readonly text: string;
}

export function insertSteps(compiled: string, program: Program): string {
  // A name that the code has nowhere, however it is spelled (`st\u0065p`), so that nothing can hide it.
  const names = new Set<string>();
  full(program, (node) => void (node.type === 'Identifier' && names.add((node as Identifier).name)));
  let name = 'step';
  while (names.has(name)) name += '_';
  const insertions: Insertion[] = [];
  // Inner nodes are visited first, so what closes them comes first where two end together.
  full(program, (node) => insertions.push(...insertionsOf(node as AnyNode, name)));
  let text = '';
  let end = 0;
  for (const { at, text: inserted } of insertions.sort((a, b) => a.at - b.at)) {
    text += compiled.slice(end, at) + inserted;
    end = at;
  }
  return `${text}${compiled.slice(end)}\n;import { step as ${name} } from '${STEPS_MODULE}';\n`;
}

function insertionsOf(node: AnyNode, name: string): readonly Insertion[] {
  switch (node.type) {
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression': {
      const { type, start, end } = node.body;
      if (type === 'BlockStatement') return [{ at: start + 1, text: ` ${name}();` }];
      if (node.type === 'ArrowFunctionExpression') {
        return [
          { at: start, text: `(${name}(), ` },
          { at: end, text: ')' },
        ];
      }
      return [
        { at: start, text: `{ ${name}(); ` },
        { at: end, text: ' }' },
      ];
    }
    default:
      return [];
  }
}
