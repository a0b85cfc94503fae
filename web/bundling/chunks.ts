/**
 * Which modules share a file of the built console: what pages need together, and what changes together. Without groups a page loads
 * dozens of files. Code that one page alone uses stays in that page's file. Groups name modules instead of following imports, so that
 * a list or a form never becomes part of the first screen.
 */
import type { Rolldown } from 'vite';

const mantine = (names: string) => String.raw`@mantine\/core\/esm\/components\/(?:${names})`;

const any = (...patterns: readonly string[]) => new RegExp(patterns.join('|'));

/** Mantine's components of forms, dialogs and lists. Icons and styles that other components borrow are not among them. */
const formComponents = mantine(
  [
    'Modal|Drawer|Select|MultiSelect|Autocomplete|NumberInput|NumberFormatter|Textarea|Switch|Fieldset',
    'Tabs|Collapse|Pill|Chip|TagsInput',
    String.raw`Combobox(?!\/(?:get-parsed|ComboboxChevron|Combobox\.module))`,
    String.raw`Checkbox(?!\/CheckIcon)|Radio(?!\/RadioIcon)`,
  ].join('|'),
);

/** What only lists and forms need of web/ui. */
const listUi =
  'form-dialog|confirm|danger|side-sheet|edit-conflict|use-virtual|fields|unsaved|list-|choice-cards|spacer|use-row|use-address|use-first|use-creating|paged';

/** What the frame and the dashboard need of web/values. The editors are for forms. */
const shownValues =
  'property-value|outcome|event-labels|countries|decision|time-ranges|number-text|value-labels|values\\.module';

/** Parts of web/shell that open on demand or belong to other layouts. */
const lateShell =
  'command-palette|palette|use-palette|shortcuts-dialog|sidebar-sheet|centred-layout|deletion-banner';

export const chunks: Rolldown.CodeSplittingOptions = {
  includeDependenciesRecursively: false,
  groups: [
    {
      name: 'vendor',
      test: /node_modules\/(react|react-dom|react-router|scheduler|@tanstack\/(react-query|query-core))\//,
      priority: 5,
    },
    // The entry's static imports: theme, session, route table.
    { name: 'core', tags: ['$initial'], priority: 4 },
    {
      name: 'fields',
      test: any(
        '@mantine/form',
        mantine(String.raw`Anchor|Input\/|InputBase|TextInput|PasswordInput|CloseButton`),
        'InputsGroup|InlineInput|fast-deep-equal',
      ),
      priority: 4,
      includeDependenciesRecursively: true,
    },
    {
      name: 'validation',
      test: /node_modules\/zod\/v4|contract:schemas|\/web\/api\/(?:check-form|merge-edits)/,
      priority: 4,
    },
    {
      name: 'kit',
      test: any(
        String.raw`node_modules\/(?:react-remove|react-number|react-style|use-|@tanstack\/(?:react-virtual|virtual-core))`,
        String.raw`\/web\/forms\/`,
        formComponents,
        String.raw`\/web\/ui\/(?:${listUi})`,
        String.raw`\/web\/values\/(?!${shownValues})`,
      ),
      priority: 3,
      minShareCount: 2,
    },
    {
      name: 'frame',
      test: any(
        String.raw`\/web\/(?:api|session|theme|values)\/|\/web\/paths|contract:plain`,
        String.raw`\/web\/ui\/(?!code-diff|charts|fire|hint-tooltip)`,
        String.raw`\/web\/domains\/(?!sudo)(?:.+\/queries\.ts|environments\/(?:deployments\/(?:deployment|running)|keys\/curl)|usage\/sum)`,
        String.raw`\/web\/shell\/(?!${lateShell})`,
        String.raw`@mantine\/hooks|@mantine\/core\/esm\/(?:core|utils)|@tabler|@floating-ui`,
        mantine('(?!Spotlight|Drawer|Alert)'),
      ),
      priority: 3,
      minShareCount: 2,
    },
  ],
};
