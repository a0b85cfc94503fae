/** Puts a server's own address into texts that are written for EXAMPLE_ORIGIN. */
import { EXAMPLE_ORIGIN, installCommand, isLocalOrigin, LOCAL_INSTALL_NOTE } from './install-command.ts';

/** Where LOCAL_INSTALL_NOTE belongs in a guide: a paragraph of its own. */
export const LOCAL_INSTALL_MARK = '<!-- local install -->';

/** A guide's text, or a part of it, as the server at `origin` shows it. */
export function fillIn(text: string, origin: string): string {
  return text
    .replaceAll(`${LOCAL_INSTALL_MARK}\n\n`, isLocalOrigin(origin) ? `${LOCAL_INSTALL_NOTE}\n\n` : '')
    .replaceAll(installCommand(EXAMPLE_ORIGIN), installCommand(origin))
    .replaceAll(EXAMPLE_ORIGIN, origin);
}
