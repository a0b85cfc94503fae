CREATE TABLE `customer_join` (
	`org_id` text NOT NULL,
	`identifier` text NOT NULL,
	`environment_id` text NOT NULL,
	`integration_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`joined_at` integer,
	PRIMARY KEY(`org_id`, `identifier`, `environment_id`, `integration_id`, `customer_id`),
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
DROP TRIGGER `api_change_added`;--> statement-breakpoint
CREATE TRIGGER `api_change_added` AFTER INSERT ON `audit_log`
WHEN NEW.`actor_key` IS NOT NULL AND NEW.`org_id` IS NOT NULL AND NEW.`action` LIKE 'customer.%'
	AND json_extract(NEW.`detail`, '$.isPart') IS NOT 1 BEGIN
	INSERT INTO `counted_change` (`org_id`, `environment_id`, `day_at`, `total`)
		VALUES (NEW.`org_id`, coalesce(json_extract(NEW.`detail`, '$.environmentId'), ''), NEW.`at` - NEW.`at` % 86400000, 1)
		ON CONFLICT (`org_id`, `environment_id`, `day_at`) DO UPDATE SET `total` = `total` + 1;
END;--> statement-breakpoint
INSERT INTO `customer_word_renewal` (`id`, `after_org_id`, `after_identifier`) VALUES (1, '', '')
	ON CONFLICT (`id`) DO UPDATE SET `after_org_id` = '', `after_identifier` = '';
