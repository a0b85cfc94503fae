// Failures that are known: each in one sentence, with what to do next, instead of a library's text.
import { StartError } from '../tools/start-error.ts';

interface Circumstances {
  readonly stateFolder: string;
}

/** The message for the user; null for a failure that is not known. */
export function explainFailure(error: unknown, { stateFolder }: Circumstances): string | null {
  if (error instanceof StartError) return error.message;
  if (!(error instanceof Error)) return null;
  const { code = '', path } = causeOf(error);
  const text = `${code} ${error.message}`;
  if (/ENOSPC|EDQUOT|SQLITE_FULL|database or disk is full|no space left on device/i.test(text))
    return 'The disk is full. Free some space and start again.';
  if (/SQLITE_CORRUPT|SQLITE_NOTADB|disk image is malformed|file is not a database/i.test(text))
    return `A database in ${stateFolder} is damaged. Restore the folder from a copy, or start with new data: TESSERA_STATE=folder npm start`;
  if (/EACCES|EPERM|EROFS|readonly database|permission denied|read-only file system/i.test(text)) {
    const place = path ?? /'(\/[^']+)'/.exec(error.message)?.[1] ?? stateFolder;
    return `No write permission for ${place}. Change its owner (chown), or use a copy of Tessera in a folder of your own.`;
  }
  if (/EEXIST|ENOTDIR/.test(code))
    return `${path ?? stateFolder} is not a folder. Remove it, or choose another: TESSERA_STATE=folder npm start`;
  if (/EADDRINUSE|address already in use/i.test(text)) {
    const port = /:(\d+)\b/.exec(error.message)?.[1];
    return `Another program has taken port ${port} meanwhile. Stop it, or choose other ports: PORT=4101 npm start`;
  }
  if (/SQLITE_BUSY|database is locked/i.test(text))
    return `Another program has a database in ${stateFolder} open. Close it and start again.`;
  return null;
}

/** The error of the system behind an error, such as that of a failed fetch. */
function causeOf(error: Error): NodeJS.ErrnoException {
  return error.cause instanceof Error ? causeOf(error.cause) : error;
}
