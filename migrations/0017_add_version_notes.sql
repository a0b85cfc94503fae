ALTER TABLE `artifact` ADD `note` text;--> statement-breakpoint
ALTER TABLE `replica_acknowledgement` ADD `failed_at` integer;