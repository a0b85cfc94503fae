// `npm run migration -- --name verb_noun`: writes the next migration, from a change in worker/db/schema. `--custom` writes an empty one.
import { readOptions } from './tools/read-options.ts';
import { runTool } from './tools/run-tool.ts';
import { StartError } from './tools/start-error.ts';

const { values } = readOptions('migration', {
  name: { type: 'string' },
  custom: { type: 'boolean', default: false },
});
if (values.name === undefined || !/^[a-z]+(_[a-z0-9]+)+$/.test(values.name)) {
  throw new StartError('Say what the migration does: npm run migration -- --name verb_noun');
}
const args = ['generate', '--config', 'migrations/drizzle.config.ts', '--name', values.name];
process.exitCode = (await runTool('drizzle-kit', values.custom ? [...args, '--custom'] : args)).code;
