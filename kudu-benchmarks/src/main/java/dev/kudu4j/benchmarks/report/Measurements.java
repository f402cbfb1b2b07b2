package dev.kudu4j.benchmarks.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * All numbers of a run: for each figure and side, one a round.
 *
 * <p>Rounds of the sides are neighbours in time, so the ratio is taken round by round and its
 * median told: a slow minute of the machine then falls on all.
 */
public final class Measurements {
  private final Map<Figure, Map<Side, List<Double>>> values = new EnumMap<>(Figure.class);

  public void add(Side side, Figure figure, double value) {
    values
        .computeIfAbsent(figure, f -> new EnumMap<>(Side.class))
        .computeIfAbsent(side, s -> new ArrayList<>())
        .add(value);
  }

  /** In the order of the rounds; empty when the side has not run. */
  public double[] of(Side side, Figure figure) {
    return values.getOrDefault(figure, Map.of()).getOrDefault(side, List.of()).stream()
        .mapToDouble(Double::doubleValue)
        .toArray();
  }

  public boolean has(Figure figure) {
    return values.containsKey(figure);
  }

  /** The sides that ran, in their order. */
  public List<Side> sides() {
    return Arrays.stream(Side.values())
        .filter(side -> values.values().stream().anyMatch(bySide -> bySide.containsKey(side)))
        .toList();
  }

  /** The median over the rounds of a side divided by the published one; empty unless both ran. */
  public OptionalDouble ratio(Side side, Figure figure) {
    double[] ours = of(side, figure);
    double[] published = of(Side.PUBLISHED, figure);
    int rounds = Math.min(ours.length, published.length);
    double[] ratios = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      ratios[round] = ours[round] / published[round];
    }
    return rounds == 0 ? OptionalDouble.empty() : OptionalDouble.of(Samples.median(ratios));
  }
}
