/** An environment's id as one word of the full-text index, which would otherwise part it at the underscore. */
export function environmentWord(envId: string): string {
  return `env${envId.toLowerCase().replace(/[^a-z0-9]/g, '')}`;
}
