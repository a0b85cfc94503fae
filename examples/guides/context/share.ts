import { createTessera } from 'tessera-sdk';

const tessera = createTessera();

export interface Project {
  readonly owner: string;
  readonly region: string;
  readonly isArchived: boolean;
}

/** The context is what Tessera cannot know: here, facts about the project that is to be shared. */
export function mayShare({ owner, region, isArchived }: Project): Promise<boolean> {
  return tessera.can('dashboards.publicSharing', {
    on: { user: owner },
    context: { region, isArchived },
    fallback: false,
  });
}
