// Features and plans of your workspace. Download it again after a change: edits are lost.
import type { Meter } from 'tessera-sdk';

declare module 'tessera-sdk' {
  interface Register {
    features: {
      "dashboards": {
        "enabled": boolean;
        "maxDashboards": number;
        "publicSharing": boolean;
      };
      "data-exports": {
        "enabled": boolean;
        "exports": Meter;
        "formats": string;
      };
      "team-seats": {
        "enabled": boolean;
        "guests": boolean;
        "seats": Meter;
      };
    };
    plans: "free" | "team";
  }
}
