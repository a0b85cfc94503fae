CREATE TABLE `counted_change` (
	`org_id` text NOT NULL,
	`environment_id` text NOT NULL,
	`day_at` integer NOT NULL,
	`total` integer NOT NULL,
	`reported` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`org_id`, `environment_id`, `day_at`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `counted_change_unreported` ON `counted_change` (`org_id`) WHERE total > reported;--> statement-breakpoint
CREATE INDEX `environment_deleted` ON `environment` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE TRIGGER `api_change_added` AFTER INSERT ON `audit_log`
WHEN NEW.`actor_key` IS NOT NULL AND NEW.`org_id` IS NOT NULL AND NEW.`action` LIKE 'customer.%' BEGIN
	INSERT INTO `counted_change` (`org_id`, `environment_id`, `day_at`, `total`)
		VALUES (NEW.`org_id`, coalesce(json_extract(NEW.`detail`, '$.environmentId'), ''), NEW.`at` - NEW.`at` % 86400000, 1)
		ON CONFLICT (`org_id`, `environment_id`, `day_at`) DO UPDATE SET `total` = `total` + 1;
END;--> statement-breakpoint
INSERT INTO `customer_word_renewal` (`id`, `after_org_id`, `after_identifier`) VALUES (1, '', '')
	ON CONFLICT (`id`) DO UPDATE SET `after_org_id` = '', `after_identifier` = '';
