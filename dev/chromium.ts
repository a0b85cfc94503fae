// The browser for the browser tests and for screenshots. On Linux on x86-64 it comes with the npm package
// @sparticuz/chromium, unpacked once into node_modules/.cache; elsewhere an installed Chrome is taken. TESSERA_CHROMIUM
// names another one. Nothing is downloaded.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LaunchOptions } from '@playwright/test';
import { root } from './tools.ts';

const quietFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const unpackedFolder = join(root, 'node_modules/.cache/tessera/chromium');

/** How Playwright is to launch the browser. */
export function chromiumLaunchOptions(): LaunchOptions {
  const ownPath = process.env.TESSERA_CHROMIUM;
  if (ownPath) return { executablePath: ownPath, args: quietFlags };
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome', args: quietFlags };
  if (!existsSync(unpackedFolder)) unpack();
  const executablePath = join(unpackedFolder, 'chromium');
  return {
    executablePath,
    args: quietFlags,
    env: { ...process.env, ...whatTheMachineLacks(executablePath) },
  };
}

/** Unpacks beside the final place and renames: a run that is cut off, or two at once, leave nothing half done. */
function unpack(): void {
  mkdirSync(dirname(unpackedFolder), { recursive: true });
  const folder = mkdtempSync(`${unpackedFolder}-`);
  const script = `(await import('@sparticuz/chromium')).default.executablePath()`;
  const result = spawnSync(process.execPath, ['--input-type=module', '--eval', `await ${script}`], {
    cwd: root,
    encoding: 'utf8',
    // The package unpacks below TMPDIR, and its system libraries only where it takes the machine for Amazon's.
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  });
  if (result.status !== 0) throw new Error(`The packaged Chromium could not be unpacked: ${result.stderr}`);
  const fonts = `<dir>${unpackedFolder}/fonts</dir><cachedir>${unpackedFolder}/fonts-cache</cachedir>`;
  writeFileSync(join(folder, 'fonts.conf'), `<?xml version="1.0"?><fontconfig>${fonts}</fontconfig>`);
  try {
    renameSync(folder, unpackedFolder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if (!existsSync(unpackedFolder)) throw error;
  }
}

/** A bare machine has neither the libraries that Chromium needs nor a font: the package has both. */
function whatTheMachineLacks(executablePath: string): NodeJS.ProcessEnv {
  const { stdout } = spawnSync('ldd', [executablePath], { encoding: 'utf8' });
  const libraries = stdout?.includes('not found')
    ? { LD_LIBRARY_PATH: join(unpackedFolder, 'al2023/lib') }
    : {};
  const hasFonts = existsSync('/etc/fonts/fonts.conf') && existsSync('/usr/share/fonts');
  return { ...libraries, ...(hasFonts ? {} : { FONTCONFIG_FILE: join(unpackedFolder, 'fonts.conf') }) };
}
