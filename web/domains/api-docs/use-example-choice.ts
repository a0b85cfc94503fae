/** The selected language and situation, stored in the URL so that links show the same example. */
import { useAddressParams } from '#web/ui/page/use-address-params.ts';
import { type Language, readLanguage } from './code-samples.ts';

export interface Choice {
  readonly language: Language;
  readonly chooseLanguage: (language: Language) => void;
}

export function useLanguage(): Choice {
  const [value, choose] = useKeptInAddress('language');
  return { language: readLanguage(value), chooseLanguage: choose };
}

/** @param operation its id; each operation has its own situation */
export function useSituation(operation: string, names: readonly string[]): [string, (name: string) => void] {
  const [value, choose] = useKeptInAddress(operation);
  return [value !== null && names.includes(value) ? value : (names[0] ?? ''), choose];
}

function useKeptInAddress(name: string): [string | null, (value: string) => void] {
  const [params, change] = useAddressParams();
  return [params.get(name), (value) => change({ [name]: value }, { replace: true })];
}
