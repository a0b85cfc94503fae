CREATE TABLE `customer_word_renewal` (
	`id` integer PRIMARY KEY NOT NULL,
	`after_org_id` text NOT NULL,
	`after_identifier` text NOT NULL
);--> statement-breakpoint
INSERT INTO `customer_word_renewal` (`id`, `after_org_id`, `after_identifier`) VALUES (1, '', '');
