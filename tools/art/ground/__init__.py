"""Ground of the bake: materials, edges, details, trees and tilesets."""
