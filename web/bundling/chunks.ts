/**
 * Which modules share a file of the built console: what pages need together, and what changes together. Without groups a page loads
 * dozens of files. Code that one page alone uses stays in that page's file. What the first screen loads follows the imports of its
 * entries; the groups of the pages name modules instead, so that a list or a form never becomes part of the first screen.
 */
import type { Rolldown } from 'vite';

const mantine = (names: string) => String.raw`@mantine\/core\/esm\/components\/(?:${names})`;

const any = (...patterns: readonly string[]) => new RegExp(patterns.join('|'));

/** Mantine's components of forms, dialogs and lists. Icons and styles that other components borrow are not among them. */
const formComponents = mantine(
  [
    'Modal|Drawer|Select|MultiSelect|Autocomplete|NumberInput|NumberFormatter|Textarea|Switch|Fieldset',
    'Alert|Tabs|Collapse|Pill|Chip|TagsInput',
    String.raw`Combobox(?!\/(?:get-parsed|ComboboxChevron|Combobox\.module))`,
    String.raw`Checkbox(?!\/CheckIcon)|Radio(?!\/RadioIcon)|ScrollArea(?!\/utils\/to-int)`,
  ].join('|'),
);

/** The entry, and what the pages before sign-in share with the console. The rest of these pages is their own file. */
const sharedWithSignIn = any(
  String.raw`\/web\/main\.tsx`,
  String.raw`@mantine\/core\/esm\/core\/|contract:plain:.+\/public\/text`,
  mantine(
    String.raw`(?:ActionIcon|Anchor|Box|Button|Center|Divider|Group|Input|InputBase|Loader|PasswordInput|Stack|Text|TextInput|Title)\/`,
  ),
  String.raw`\/web\/(?:session\/(?:return-url|selected|signed-in)|shell\/(?:centred-layout|theme-toggle)|domains\/auth\/(?:auth-ca|problem-of|use-auth-call))`,
  String.raw`\/web\/ui\/(?:action-button|full-page-spinner|hint\.|mark|mosaic|site-history)`,
  String.raw`@tabler\/.+\/(?:create|default|Icon(?:AlertCircle|CircleCheck|Mail|Moon|ShieldCheck|Sun)\.)`,
);

/** What only lists and forms need of web/ui. */
const listUi =
  'form-dialog|dialog-footer|confirm|danger|side-sheet|edit-conflict|use-virtual|fields|unsaved|list-|choice-cards|spacer|use-row|use-address|use-first|use-creating|paged';

/** What pages without a form need of web/values. The editors are for forms. */
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
      test: /node_modules\/(?:react|react-dom|scheduler)\/|rolldown\/runtime/,
      priority: 6,
    },
    // The entry, and what sign-in shares with the console.
    { name: 'base', test: sharedWithSignIn, priority: 5, includeDependenciesRecursively: true },
    // What the console asks before the rest of its code runs.
    {
      name: 'start',
      test: any(
        String.raw`\/web\/start-console`,
        String.raw`node_modules\/@tanstack\/(?:react-query|query-core)\/`,
      ),
      priority: 4,
      includeDependenciesRecursively: true,
    },
    // The router and the frame. Of zod, only what configures it.
    { name: 'console', test: /\/web\/console\.tsx/, priority: 2, includeDependenciesRecursively: true },
    // The figures of the dashboard, most of which the pages of Observability share.
    {
      name: 'activity',
      test: any(
        String.raw`\/web\/ui\/charts\/(?:bar-chart|chart|ranked-bars|time-labels)`,
        String.raw`\/web\/domains\/(?:live\/(?:latest|use-|live-feed|live\.module|watch-address)|metrics\/near-limit|usage\/usage-(?:panel|table))`,
        'node_modules/react-use-websocket/',
      ),
      priority: 3,
    },
    // Versions and deployments, which the pages of environments share with the dialogs that deploy from anywhere.
    {
      name: 'deploying',
      test: /\/web\/(?:domains\/environments|ui\/code-diff)\//,
      priority: 0,
      minShareCount: 2,
    },
    // Lists, forms and dialogs, which validate with zod, and what pages share with the dialogs that the dashboard opens.
    {
      name: 'kit',
      test: any(
        String.raw`node_modules\/(?:@mantine\/form|fast-deep-equal|klona|react-remove|react-number|react-style|use-|tslib|get-nonce|aria-hidden|@tanstack\/(?:react-virtual|virtual-core))`,
        String.raw`node_modules\/zod\/|contract:schemas|\/web\/api\/(?:check-form|merge-edits)`,
        String.raw`\/web\/forms\/|\/web\/domains\/(?:billing|features|organisations|plans|workflows\/(?!code))|\/worker\/engine\/`,
        formComponents,
        String.raw`\/web\/ui\/(?:${listUi})`,
        String.raw`\/web\/values\/(?!${shownValues})`,
      ),
      priority: 1,
      minShareCount: 2,
    },
    // What most pages share.
    {
      name: 'page',
      test: any(
        String.raw`\/web\/(?:api|session|theme|values)\/|\/web\/paths|contract:plain`,
        String.raw`\/web\/ui\/(?!code-diff|charts|fire|hint-tooltip)`,
        String.raw`\/web\/domains\/(?!sudo)(?:.+\/queries\.ts|environments\/(?:deployments\/(?:deployment|running)|keys\/curl)|usage\/(?:sum|usage-series|usage\.module)|quickstart\/is-deployed)`,
        String.raw`\/web\/shell\/(?!${lateShell})`,
        String.raw`@mantine\/hooks|@mantine\/core\/esm\/(?:core|utils)|@tabler|@floating-ui`,
        mantine('(?!Spotlight|Drawer|Alert)'),
      ),
      priority: 1,
      minShareCount: 2,
    },
  ],
};
