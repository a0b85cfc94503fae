// A lock that is held by a process and ends with it, whatever ends it. The installation and the state folder are locked with it;
// it runs before anything is installed, so it may use built-in modules only.
//
// Each process that wants the lock writes a claim, a file named by its process, and then lists the claims of others. The later of two
// always sees the earlier, so they never both hold it. Claims of processes that have ended are removed: a process is known by its id and
// the time when it started, as the system gives ids to new processes.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Two that claim at once both withdraw, and try again after different pauses. */
const PAUSE_MS = 50;
/** Until then, children of a process that was killed have ended. */
const PATIENCE_MS = 10_000;

/** See process-lock.d.mts. */
export async function takeLock(folder, name, note) {
  mkdirSync(folder, { recursive: true });
  const own = claimOf(folder, name, process.pid);
  if (own === null) throw new Error('This process has no id');
  const claims = new Set([own]);
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    writeFileSync(own, '');
    const others = claimsOfOthers(folder, name, own);
    if (others.length === 0) break;
    rmSync(own, { force: true });
    const holder = others.find((other) => other.note !== '');
    if (holder !== undefined || Date.now() > giveUpAt) return { isHeld: false, holder: holder ?? others[0] };
    await sleep(PAUSE_MS * (1 + Math.random() * 4));
  }
  writeFileSync(own, note);
  return {
    isHeld: true,
    include(pid) {
      const claim = claimOf(folder, name, pid);
      if (claim === null) return;
      writeFileSync(claim, '');
      claims.add(claim);
    },
    release() {
      for (const claim of claims) rmSync(claim, { force: true });
    },
  };
}

/** See process-lock.d.mts. */
export async function waitForLock(folder, name, note, onWait) {
  for (let attempt = 0; ; attempt += 1) {
    const lock = await takeLock(folder, name, note);
    if (lock.isHeld) return lock;
    if (attempt === 0) onWait?.();
    await sleep(PAUSE_MS * 4);
  }
}

/** The path of a process's claim; null if the process has ended. */
function claimOf(folder, name, pid) {
  const startedAt = startOf(pid);
  return startedAt === null ? null : join(folder, `${name}-${pid}-${startedAt}.lock`);
}

function claimsOfOthers(folder, name, own) {
  const pattern = new RegExp(`^${name}-(\\d+)-[\\w.-]+\\.lock$`);
  return readdirSync(folder).flatMap((file) => {
    const path = join(folder, file);
    const pid = Number(pattern.exec(file)?.[1]);
    if (!pid || path === own) return [];
    if (claimOf(folder, name, pid) !== path) {
      rmSync(path, { force: true });
      return [];
    }
    return [{ pid, note: readNote(path) }];
  });
}

function readNote(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return ''; // It was withdrawn meanwhile.
    throw error;
  }
}

/** Tells processes with the same id apart; null if there is no such process. */
function startOf(pid) {
  if (process.platform === 'linux') return startOnLinux(pid);
  if (process.platform === 'win32') return isAlive(pid) ? 'alive' : null;
  const options = { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } };
  const { stdout = '' } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], options);
  const [, state, startedAt] = /^(\S+)\s+(.+?)\s*$/.exec(stdout) ?? [];
  return startedAt === undefined || state?.startsWith('Z') ? null : startedAt.replace(/\W+/g, '.');
}

/** @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: field 3 is the state, 22 the start in ticks since the boot */
function startOnLinux(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return null;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
