// Names in sentences: those written from right to left keep their direction to themselves.
import { expect, test } from 'vitest';
import { sentence } from '#web/ui/format.ts';

test.each(['שלום', 'خطة', 'Pro (خطة)'])('%s does not reorder the words around it', (name) => {
  expect(sentence`Delete ${name}?`).toBe(`Delete \u2068${name}\u2069?`);
});

test.each(['Pro', 'Überblick', '計画', ''])('%s is left as it is', (name) => {
  expect(sentence`Deploy v${3} to ${name}`).toBe(`Deploy v3 to ${name}`);
});
