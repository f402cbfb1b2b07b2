package dev.kudu4j.benchmarks.report;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * All numbers of a run: for each figure and side, one a round.
 *
 * <p>Rounds of the two sides are neighbours in time, so the ratio is taken round by round and its
 * median told: a slow minute of the machine then falls on both.
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

  /** The median over the rounds of ours divided by theirs; empty unless both ran. */
  public OptionalDouble ratio(Figure figure) {
    double[] ours = of(Side.OURS, figure);
    double[] published = of(Side.PUBLISHED, figure);
    int rounds = Math.min(ours.length, published.length);
    double[] ratios = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      ratios[round] = ours[round] / published[round];
    }
    return rounds == 0 ? OptionalDouble.empty() : OptionalDouble.of(Samples.median(ratios));
  }
}
