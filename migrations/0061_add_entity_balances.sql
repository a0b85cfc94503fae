DROP INDEX `customer_balance_open`;--> statement-breakpoint
DROP INDEX `customer_balance_end`;--> statement-breakpoint
ALTER TABLE `customer_balance` ADD `entity_id` text;--> statement-breakpoint
CREATE INDEX `customer_balance_unclosed` ON `customer_balance` (`org_id`,`customer_identifier`,`ends_at`) WHERE coalesce(closed_at, 0) = 0;--> statement-breakpoint
CREATE INDEX `customer_balance_ending` ON `customer_balance` (`ends_at`) WHERE coalesce(closed_at, 0) = 0 AND ends_at < 9000000000000000;