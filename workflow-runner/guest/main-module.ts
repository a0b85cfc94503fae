/** The text of a dynamic worker's main module: the guest's functions, and the workflows by id. */
import { GLOBALS } from '../code/code-problems.ts';
import { createMeter } from './create-meter.ts';
import { createRuns } from './create-runs.ts';
import { freezeIntrinsics } from './freeze-intrinsics.ts';
import { guardNatives } from './guard-natives.ts';

/** @param workflowIds the module of the first is w0.js, and so on */
export function mainModule(workflowIds: readonly string[]): string {
  const imports = workflowIds.map((_, index) => `import w${index} from './w${index}.js';`);
  const factories = workflowIds.map((id, index) => `${JSON.stringify(id)}: w${index}`);
  const globals = JSON.stringify(GLOBALS);
  return `
import { WorkerEntrypoint } from 'cloudflare:workers';
${imports.join('\n')}
const meter = (${createMeter})();
const { run, evaluate } = (${createRuns})(meter, { __proto__: null, ${factories.join(', ')} }, ${globals});
(${guardNatives})(meter);
(${freezeIntrinsics})(${globals});
export default class extends WorkerEntrypoint {
  run(requestText) { return run(requestText); }
  evaluate() { return evaluate(); }
}
`;
}
