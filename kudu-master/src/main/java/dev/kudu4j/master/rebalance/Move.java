package dev.kudu4j.master.rebalance;

import dev.kudu4j.master.membership.MoveReason;

/** A move of one replica of a tablet from one server to another. */
public record Move(String tablet, String table, String from, String to, MoveReason reason) {}
