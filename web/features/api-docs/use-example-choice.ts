/** Which language and which situation are shown, kept in the address, so that a link shows the same. */
import { useSearchParams } from 'react-router';
import { type Language, readLanguage } from './code-samples.ts';

export interface Choice {
  readonly language: Language;
  readonly chooseLanguage: (language: Language) => void;
}

export function useLanguage(): Choice {
  const [value, choose] = useKeptInAddress('language');
  return { language: readLanguage(value), chooseLanguage: choose };
}

/** @param operation its id: each has a situation of its own */
export function useSituation(operation: string, names: readonly string[]): [string, (name: string) => void] {
  const [value, choose] = useKeptInAddress(operation);
  return [value !== null && names.includes(value) ? value : (names[0] ?? ''), choose];
}

function useKeptInAddress(name: string): [string | null, (value: string) => void] {
  const [params, setParams] = useSearchParams();
  const choose = (value: string) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        after.set(name, value);
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  return [params.get(name), choose];
}
