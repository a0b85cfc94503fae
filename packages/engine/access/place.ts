/** Where a call comes from. The engine's regions say which data location is nearest. */
export interface Place {
  readonly country: string | null;
  readonly city: string | null;
  /** Two letters: AF AN AS EU NA OC SA. */
  readonly continent: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** The data centre that answers, e.g. LHR. */
  readonly colo: string | null;
}

/** The place of a call that does not name one. */
export const NOWHERE: Place = {
  country: null,
  city: null,
  continent: null,
  latitude: null,
  longitude: null,
  colo: null,
};
