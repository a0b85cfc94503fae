/**
 * Where a step goes into compiled code: into every loop body and every function, so that an honest mistake such as `while (true)` ends
 * with its line. Text is only inserted (../insert-steps.ts), never removed or replaced, and no line moves.
 */
import type { AnyNode, Identifier, Program } from 'acorn';
import { full } from 'acorn-walk';
import type { CodeProblem } from '#contracts/internal/workflow-run';
import { type CodeSteps, INSERT, type Insert, MAX_INSERTIONS } from '../code-reading.ts';
import { TOO_MANY_STEPS } from './bounded-parser.ts';

export function findSteps(program: Program): CodeSteps | { readonly problem: CodeProblem } {
  // A name that the code has nowhere, however it is spelled (`st\u0065p`), so that nothing can hide it.
  const names = new Set<string>();
  full(program, (node) => void (node.type === 'Identifier' && names.add((node as Identifier).name)));
  let name = 'step';
  while (names.has(name)) name += '_';
  // Inner nodes are visited first, so what closes them comes first where two end together.
  const insertions: [at: number, insert: Insert][] = [];
  full(program, (node) => insertions.push(...insertionsOf(node as AnyNode)));
  if (insertions.length > MAX_INSERTIONS) return { problem: { line: null, message: TOO_MANY_STEPS } };
  return { name, insertions: insertions.sort(([a], [b]) => a - b).flat() };
}

function insertionsOf(node: AnyNode): readonly [number, Insert][] {
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
      if (type === 'BlockStatement') return [[start + 1, INSERT.step]];
      const isArrow = node.type === 'ArrowFunctionExpression';
      return [
        [start, isArrow ? INSERT.openExpression : INSERT.openBlock],
        [end, isArrow ? INSERT.closeExpression : INSERT.closeBlock],
      ];
    }
    default:
      return [];
  }
}
