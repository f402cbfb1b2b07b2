package dev.kudu4j.tools.local;

/**
 * What is known of one server.
 *
 * @param name such as {@code tserver 0}
 * @param state such as {@code running}; for people
 * @param isHealthy whether it does all it should
 * @param tablets replicas here; -1 for unknown
 * @param memoryBytes of its rows and pages; -1 for unknown
 * @param rpc address
 * @param web address, or empty
 */
record ServerReport(
    String name,
    String state,
    boolean isHealthy,
    int tablets,
    long memoryBytes,
    String rpc,
    String web) {}
