CREATE TABLE `organisation_deletion` (
	`org_id` text PRIMARY KEY NOT NULL,
	`requested_by_user_id` text NOT NULL,
	`requested_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`started_at` integer,
	`environments` text,
	`step` text DEFAULT 'integrations' NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`busy_until` integer DEFAULT 0 NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `organisation_deletion_due` ON `organisation_deletion` (`due_at`);
--> statement-breakpoint
DROP TRIGGER `audit_log_is_not_removed`;
--> statement-breakpoint
CREATE TRIGGER `audit_log_is_not_removed` BEFORE DELETE ON `audit_log`
WHEN NOT EXISTS (SELECT 1 FROM `organisation_deletion` WHERE `org_id` = OLD.`org_id` AND `started_at` IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
