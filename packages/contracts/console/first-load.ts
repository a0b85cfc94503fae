/** What a page of the console loads first. The build writes a file that lists it by the page's name; the Worker reads it. */

export const FIRST_LOADS_PATH = '/first-loads.json';

export interface FirstLoad {
  /** Paths below the root: scripts, style sheets and a font. */
  readonly files: readonly string[];
  /** Addresses of the API, with places for what the page's path names. */
  readonly calls: readonly string[];
  /** Absent: nothing of the page is known before its code is. */
  readonly head?: FirstHead;
}

/** What a page shows until its code has arrived. */
export interface FirstHead {
  /** Empty: a name that the page reads first, for which there is room. */
  readonly title: string;
  readonly subtitle: string;
}

export const ORGANISATION_PLACE = 'organisation-place';
/** The path's second parameter. */
export const ID_PLACE = 'id-place';
