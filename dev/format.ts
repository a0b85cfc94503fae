// `npm run format [paths]`: formats files and applies the linter's safe fixes.
import { runTool } from './tools/run-tool.ts';

process.exitCode = (await runTool('biome', ['check', '--write', ...process.argv.slice(2)])).code;
