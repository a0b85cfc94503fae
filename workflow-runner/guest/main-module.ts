/** The text of a dynamic worker's main module: the guest's functions, and the workflows by id. */
import { GLOBALS } from '../code/code-problems.ts';
import { patternProblem } from '../code/pattern-problem.ts';
import { createGuards, TEXT_PER_STEP } from './create-guards.ts';
import { createMeter } from './create-meter.ts';
import { createRuns } from './create-runs.ts';
import { freezeIntrinsics } from './freeze-intrinsics.ts';
import { guardLocales } from './guard-locales.ts';
import { guardNatives } from './guard-natives.ts';
import { guardTexts } from './guard-texts.ts';

export interface GuestModule {
  readonly workflowId: string;
  /** The source's line of each line of the module; empty if it is unknown. */
  readonly lines: readonly number[];
}

/** @param workflows the module of the first is w0.js, and so on */
export function mainModule(workflows: readonly GuestModule[]): string {
  const imports = workflows.map((_, index) => `import w${index} from './w${index}.js';`);
  const factories = workflows.map(({ workflowId }, index) => `${JSON.stringify(workflowId)}: w${index}`);
  const lines = workflows.map((each) => `${JSON.stringify(each.workflowId)}: [${each.lines.join()}]`);
  const globals = JSON.stringify(GLOBALS);
  return `
import { WorkerEntrypoint } from 'cloudflare:workers';
${imports.join('\n')}
const meter = (${createMeter})();
const { run, evaluate } = (${createRuns})(meter, { __proto__: null, ${factories.join(', ')} }, ${globals}, { __proto__: null, ${lines.join(', ')} });
const guards = (${createGuards})(meter, ${TEXT_PER_STEP});
(${guardLocales})(guards);
(${guardTexts})(guards, ${TEXT_PER_STEP});
(${guardNatives})(guards, ${TEXT_PER_STEP}, ${patternProblem});
(${freezeIntrinsics})(${globals});
export default class extends WorkerEntrypoint {
  run(requestText) { return run(requestText); }
  evaluate() { return evaluate(); }
}
`;
}
