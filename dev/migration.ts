// `npm run migration -- --name verb_noun`: writes the next migration, from a change in worker/db/schema.
import { runTool } from './tools/run-tool.ts';

const args = ['generate', '--config', 'migrations/drizzle.config.ts', ...process.argv.slice(2)];
process.exitCode = (await runTool('drizzle-kit', args)).code;
