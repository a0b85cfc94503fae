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

/** What the pages before sign-in share with the console. The rest of them is their own file. */
const sharedWithSignIn = any(
  String.raw`@mantine\/core\/esm\/core\/|contract:plain:.+\/public\/text`,
  mantine(String.raw`(?:ActionIcon|Anchor|Box|Button|Center|Divider|Group|Loader|Stack|Text|Title)\/`),
  String.raw`\/web\/(?:session\/(?:return-url|selected|signed-in)|shell\/(?:centred-layout|theme-toggle)|domains\/auth\/auth-card)`,
  String.raw`\/web\/ui\/(?:action-button|full-page-spinner|hint\.|mark|mosaic|site-history)`,
  String.raw`@tabler\/.+\/(?:create|default|Icon(?:AlertCircle|CircleCheck|Mail|Moon|ShieldCheck|Sun)\.)`,
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
      test: /node_modules\/(react|react-dom|scheduler|@tanstack\/(react-query|query-core))\//,
      priority: 5,
    },
    // The entry's static imports: theme, session.
    { name: 'core', tags: ['$initial'], priority: 5 },
    { name: 'base', test: sharedWithSignIn, priority: 4, includeDependenciesRecursively: true },
    {
      name: 'fields',
      test: any(
        mantine(String.raw`Input\/|InputBase|TextInput|PasswordInput|CloseButton`),
        'InputsGroup|InlineInput',
      ),
      priority: 3,
      includeDependenciesRecursively: true,
    },
    // What the console asks before its own code runs.
    {
      name: 'queries',
      test: any(
        'contract:plain',
        String.raw`\/web\/domains\/(?!sudo)(?:.+\/queries\.ts)`,
        String.raw`\/web\/api\/call`,
      ),
      priority: 2,
      minShareCount: 2,
    },
    // With the console's start, which configures zod without loading the rest of it.
    {
      name: 'router',
      test: any(
        String.raw`node_modules\/(?:react-router|cookie|set-cookie-parser)\/|zod\/v4\/core\/(?:core|util)\.`,
      ),
      priority: 2,
    },
    {
      name: 'validation',
      test: /node_modules\/zod\/v4\/(?!core\/(?:core|util)\.)|contract:schemas|\/web\/api\/(?:check-form|merge-edits)/,
      priority: 2,
    },
    {
      name: 'kit',
      test: any(
        String.raw`node_modules\/(?:@mantine\/form|fast-deep-equal|klona|react-remove|react-number|react-style|use-|@tanstack\/(?:react-virtual|virtual-core))`,
        String.raw`\/web\/forms\/`,
        formComponents,
        String.raw`\/web\/ui\/(?:${listUi})`,
        String.raw`\/web\/values\/(?!${shownValues})`,
      ),
      priority: 1,
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
      priority: 1,
      minShareCount: 2,
    },
  ],
};
