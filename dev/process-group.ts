// Runs wrangler with the given arguments in a process group of its own, and takes the whole group down when wrangler
// ends, or when whoever started this closes its standard input, which the system does even after a kill -9. So workerd
// is never left behind holding the port.
import { runTool } from './tools.ts';

const endGroup = () => {
  if (process.platform === 'win32') process.exit();
  process.kill(-process.pid, 'SIGKILL');
};

process.stdin.resume();
process.stdin.on('close', endGroup);
process.on('SIGTERM', () => undefined); // Reaches wrangler too, which then ends by itself.
await runTool('wrangler', process.argv.slice(2));
endGroup();
