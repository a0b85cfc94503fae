/** Which results the palette shows: those with every typed word in their label or keywords, in any order. Labels come first. */
import type { SpotlightActionGroupData, SpotlightFilterFunction } from '@mantine/spotlight';
import { foldText } from '#engine/text/fold-text';

export const filterPalette: SpotlightFilterFunction = (query, data) => {
  const words = foldText(query.trim()).split(/\s+/);
  const isFoundIn = (text: string) => words.every((word) => text.includes(word));
  const found = (data as readonly SpotlightActionGroupData[]).map(({ group, actions }) => {
    const texts = actions.map(({ label = '', keywords = [] }) => ({
      label: foldText(label),
      all: foldText([label, ...keywords].join('\n')),
    }));
    const named = actions.filter((_, at) => isFoundIn(texts[at]?.label ?? ''));
    const others = actions.filter((each, at) => !named.includes(each) && isFoundIn(texts[at]?.all ?? ''));
    return { group, named, all: [...named, ...others] };
  });
  return found
    .filter(({ all }) => all.length > 0)
    .sort((one, other) => Number(other.named.length > 0) - Number(one.named.length > 0))
    .map(({ group, all }) => ({ group, actions: all }));
};
