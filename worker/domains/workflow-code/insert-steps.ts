/**
 * Puts the steps into compiled code where the code reader found that they belong. Text is only inserted, never removed or replaced, and no
 * line moves. The isolate is the boundary, not the steps.
 */
import { type CodeSteps, INSERT } from './code-reading.ts';
import { stepsImport } from './sandbox/steps-module.ts';

export function insertSteps(compiled: string, { name, insertions }: CodeSteps): string {
  const texts: Readonly<Record<number, string>> = {
    [INSERT.step]: ` ${name}();`,
    [INSERT.openBlock]: `{ ${name}(); `,
    [INSERT.closeBlock]: ' }',
    [INSERT.openExpression]: `(${name}(), `,
    [INSERT.closeExpression]: ')',
  };
  let text = '';
  let end = 0;
  for (let index = 0; index < insertions.length; index += 2) {
    const at = insertions[index] ?? end;
    text += compiled.slice(end, at) + texts[insertions[index + 1] ?? INSERT.step];
    end = at;
  }
  return text + compiled.slice(end) + stepsImport(name);
}
