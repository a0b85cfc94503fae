// Loaded before every npm script: a known failure that nobody caught is one sentence, any other has its stack.
import { explainFailure } from './explain-failure.ts';
import { stateFolder } from './state-folder.ts';

process.on('uncaughtException', (error: unknown) => {
  console.error(explainFailure(error, { stateFolder }) ?? error);
  process.exit(1);
});
