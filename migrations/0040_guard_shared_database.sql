CREATE TABLE `audit_archive` (
	`org_id` text PRIMARY KEY NOT NULL,
	`through_at` integer NOT NULL,
	`through_id` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `stored_rows` (
	`org_id` text NOT NULL,
	`kind` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`org_id`, `kind`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `user` ADD `email_set_by_staff` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `support_access` ADD `needs_consent_to_read` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `user` SET `email_set_by_staff` = true WHERE EXISTS (SELECT 1 FROM `audit_log` WHERE `org_id` IS NULL AND `target_id` = `user`.`id`
  AND `action` = 'sudo.user-changed' AND (json_extract(`detail`, '$.email') IS NOT NULL OR json_extract(`detail`, '$.emailVerified') = 1));--> statement-breakpoint
INSERT INTO `stored_rows` (`org_id`, `kind`, `total`) SELECT `org_id`, 'provisioned_customer', count(*) FROM `provisioned_customer` GROUP BY `org_id`;--> statement-breakpoint
INSERT INTO `stored_rows` (`org_id`, `kind`, `total`) SELECT `org_id`, 'audit_log', count(*) FROM `audit_log` WHERE `org_id` IS NOT NULL GROUP BY `org_id`;--> statement-breakpoint
CREATE TRIGGER `provisioned_customer_added` AFTER INSERT ON `provisioned_customer` BEGIN
	INSERT INTO `stored_rows` (`org_id`, `kind`, `total`) VALUES (NEW.`org_id`, 'provisioned_customer', 1)
		ON CONFLICT (`org_id`, `kind`) DO UPDATE SET `total` = `total` + 1;
END;--> statement-breakpoint
CREATE TRIGGER `provisioned_customer_removed` AFTER DELETE ON `provisioned_customer` BEGIN
	UPDATE `stored_rows` SET `total` = `total` - 1 WHERE `org_id` = OLD.`org_id` AND `kind` = 'provisioned_customer';
END;--> statement-breakpoint
CREATE TRIGGER `audit_log_added` AFTER INSERT ON `audit_log` WHEN NEW.`org_id` IS NOT NULL BEGIN
	INSERT INTO `stored_rows` (`org_id`, `kind`, `total`) VALUES (NEW.`org_id`, 'audit_log', 1)
		ON CONFLICT (`org_id`, `kind`) DO UPDATE SET `total` = `total` + 1;
END;--> statement-breakpoint
CREATE TRIGGER `audit_log_removed` AFTER DELETE ON `audit_log` WHEN OLD.`org_id` IS NOT NULL BEGIN
	UPDATE `stored_rows` SET `total` = `total` - 1 WHERE `org_id` = OLD.`org_id` AND `kind` = 'audit_log';
END;--> statement-breakpoint
DROP TRIGGER `audit_log_is_not_removed`;--> statement-breakpoint
CREATE TRIGGER `audit_log_is_not_removed` BEFORE DELETE ON `audit_log`
WHEN NOT EXISTS (SELECT 1 FROM `organisation_deletion` WHERE `org_id` = OLD.`org_id` AND `started_at` IS NOT NULL)
AND NOT EXISTS (SELECT 1 FROM `audit_archive` WHERE `org_id` = coalesce(OLD.`org_id`, '') AND (OLD.`at`, OLD.`id`) <= (`through_at`, `through_id`))
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
