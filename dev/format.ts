// `npm run format [paths]`: formats files and applies the linter's safe fixes.
import { runTool } from './tools.ts';

process.exitCode = (await runTool('biome', ['check', '--write', ...process.argv.slice(2)])).code;
