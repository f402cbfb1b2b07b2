package dev.kudu4j.server.maintenance;

import dev.kudu4j.server.maintenance.MaintenanceJournal.Run;
import java.util.List;

/**
 * What the scheduler sees at one moment.
 *
 * @param nowNanos the moment, on the clock of the runs
 * @param recent newest first
 * @param candidates most urgent first; those of tablets that are being worked on are missing
 */
record MaintenanceView(
    long nowNanos, List<Run> running, List<Run> recent, List<CandidateOp> candidates) {}
