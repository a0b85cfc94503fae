/** What a page of the console loads first. The build writes a file that lists it by the page's name; the Worker reads it. */

export const FIRST_LOADS_PATH = '/first-loads.json';

export interface FirstLoad {
  /** Paths below the root: scripts, style sheets and a font. */
  readonly files: readonly string[];
  /** Addresses of the API, with places for what the page's path names. */
  readonly calls: readonly string[];
}

export const ORGANISATION_PLACE = 'organisation-place';
/** The path's second parameter. */
export const ID_PLACE = 'id-place';
