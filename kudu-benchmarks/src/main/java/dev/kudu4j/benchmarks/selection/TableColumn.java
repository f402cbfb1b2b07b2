package dev.kudu4j.benchmarks.selection;

/** A column of a generated table. No cell is NULL. */
public record TableColumn(String name, CellType type) {}
