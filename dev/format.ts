// `npm run format [paths]`: rewrites the files as the linter wants them, where it knows how without changing meaning.
import { runTool } from './tools.ts';

process.exitCode = (await runTool('biome', ['check', '--write', ...process.argv.slice(2)])).code;
